// Limits of live one-time codes: a few for each requester, more for one contact, and separate room for
// strangers and stamped callers. A new code replaces an old one where possible. Wrong tries of one source of
// strangers count for all contacts together, because a source can request codes for any number of contacts.

import { blockAround, ipBlockText, parseIpAddress } from '../../base/ip_address.ts';
import { fail } from '../../errors/errors.ts';

export const otpLimits = {
  triesPerCode: 3,
  /** Limits of one requester: a stranger's source for one contact, or a user identifier. */
  asker: { sends: 3, liveCodes: 3 },
  /** Limits of one contact: for all strangers together, and again for stamped callers. */
  contact: { sends: 12, liveCodes: 12 },
  /** Wrong tries of all codes of one source of strangers: as many as 12 codes of one contact allow. */
  wrongTriesOfSource: 36,
  sendWindowMs: 3 * 60 * 1000,
  lifeSeconds: { minimum: 1, maximum: 600, fallback: 300 },
  userIdentifierCharacters: 256,
  /** Maximum number of codes stored for an organization. */
  keptCodes: 5_000,
  /** Maximum number of strangers' codes among them. */
  strangersCodes: 4_000,
} as const;

/** The counted members of a code. */
type CountedCode = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly contact: string;
  /** The user identifier that a stamped caller passed. */
  readonly userIdentifier?: string | undefined;
  /** Source of the stranger for whom the onboarding proxy sent the code; absent for other callers. */
  readonly stranger?: string | undefined;
  readonly triesLeft: number;
  readonly wrongTries?: number;
  readonly expiresAtMs: number;
};

/** Returns true if a code can still be tried: neither used nor locked nor expired. */
export function isLive(row: CountedCode, now: number): boolean {
  return row.triesLeft > 0 && now < row.expiresAtMs;
}

/**
 * Returns true if a source of strangers has used up its wrong tries. Its codes then open nothing, and it gets
 * no further code, until the tries are older than the window.
 */
export function isGuessing(
  rows: Iterable<CountedCode>,
  stranger: string | undefined,
  now: number,
): boolean {
  if (stranger === undefined) return false;
  let wrong = 0;
  for (const row of rows) if (row.stranger === stranger) wrong += wrongTriesOf(row, now);
  return wrong >= otpLimits.wrongTriesOfSource;
}

/** Returns the counted source of a stranger: the IPv4 address, or the network of an IPv6 address. */
export function strangerAt(address: string): string {
  const parsed = parseIpAddress(address);
  if (parsed === undefined) return 'unknown';
  return ipBlockText(blockAround(parsed, parsed.family === 'IPv4' ? 32 : 64));
}

/**
 * Returns the rows to delete before one more code, including expired rows and replaced codes. Tries of other
 * requesters stay counted. Raises `otp_limit_reached`.
 */
export function makeRoom<Row extends CountedCode>(
  rows: Iterable<Row>,
  asked: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
  now: number,
): { readonly removed: readonly string[]; readonly ended: readonly Row[] } {
  const removed: string[] = [];
  const kept: Row[] = [];
  for (const row of rows) {
    if (now >= neededUntilMs(row)) removed.push(row.id);
    else kept.push(row);
  }
  checkSends(kept, asked, now);
  const ended = inTheWay(kept, asked, now);
  const dropped = beyondRoom(kept, asked, now);
  if (dropped !== undefined) removed.push(dropped.id);
  return { removed, ended: ended.filter((row) => row !== dropped) };
}

/** A row counts as sent even after its code expired, and its wrong tries count for as long. */
function neededUntilMs(row: CountedCode): number {
  const { wrongTries = 0, createdAtMs, updatedAtMs, expiresAtMs } = row;
  const countsSince = wrongTries > 0 ? updatedAtMs : createdAtMs;
  return Math.max(expiresAtMs, countsSince + otpLimits.sendWindowMs);
}

/** The wrong tries of a code count until the last one is older than the window. */
function wrongTriesOf({ wrongTries = 0, updatedAtMs }: CountedCode, now: number): number {
  return now < updatedAtMs + otpLimits.sendWindowMs ? wrongTries : 0;
}

function checkSends(
  kept: readonly CountedCode[],
  asked: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
  now: number,
): void {
  const { asker, contact, sendWindowMs, wrongTriesOfSource } = otpLimits;
  const minutes = sendWindowMs / 60_000;
  if (isGuessing(kept, asked.stranger, now)) {
    const reason = `at most ${wrongTriesOfSource} wrong codes from one address in ${minutes} minutes`;
    fail('otp_limit_reached', { reason });
  }
  const sent = kept.filter((row) => now < row.createdAtMs + sendWindowMs);
  const name = askerOf(asked);
  const byAsker = name === undefined ? [] : sent.filter((row) => askerOf(row) === name);
  const toContact = sent.filter(
    (row) => row.contact === asked.contact && isByStranger(row) === isByStranger(asked),
  );
  if (byAsker.length < asker.sends && toContact.length < contact.sends) return;
  const reason = `at most ${asker.sends} in ${minutes} minutes, and ${contact.sends} to one contact`;
  fail('otp_limit_reached', { reason });
}

/** Returns the oldest live codes of the requester, or of the contact without a requester. */
function inTheWay<Row extends CountedCode>(
  kept: readonly Row[],
  asked: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
  now: number,
): readonly Row[] {
  const name = askerOf(asked);
  const isOfContact = name === undefined ? asked.contact : undefined;
  const live = kept.filter(
    (row) =>
      askerOf(row) === name &&
      (isOfContact === undefined || row.contact === isOfContact) &&
      isLive(row, now),
  );
  const { liveCodes } = name === undefined ? otpLimits.contact : otpLimits.asker;
  const oldestFirst = live.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  return oldestFirst.slice(0, Math.max(0, live.length + 1 - liveCodes));
}

/**
 * Returns the code to remove when all room is taken: the oldest code of the stranger with the most codes.
 * Codes without wrong tries go first, because the stranger could otherwise have wrong tries forgotten. Codes
 * of stamped callers go last. Raises `otp_limit_reached` without codes of strangers.
 */
function beyondRoom<Row extends CountedCode>(
  kept: readonly Row[],
  asked: Pick<CountedCode, 'stranger'>,
  now: number,
): Row | undefined {
  const ofStrangers = kept.filter(isByStranger);
  const isFull =
    kept.length >= otpLimits.keptCodes ||
    (isByStranger(asked) && ofStrangers.length >= otpLimits.strangersCodes);
  if (!isFull) return undefined;
  const bySource = Map.groupBy(ofStrangers, (row) => row.stranger ?? '');
  const [largest = []] = [...bySource.values()].toSorted((a, b) => b.length - a.length);
  const oldestFirst = largest.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  const oldest = oldestFirst.find((row) => wrongTriesOf(row, now) === 0) ?? oldestFirst[0];
  if (oldest !== undefined) return oldest;
  return fail('otp_limit_reached', { reason: 'the organization has too many at this time' });
}

function isByStranger({ stranger }: Pick<CountedCode, 'stranger'>): boolean {
  return stranger !== undefined;
}

/**
 * Returns the requester that sends are counted for besides the contact; undefined for a stamped caller
 * without a user identifier.
 */
function askerOf(
  row: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
): string | undefined {
  if (row.stranger !== undefined) return `stranger ${row.stranger} ${row.contact}`;
  return row.userIdentifier === undefined ? undefined : `user ${row.userIdentifier}`;
}
