// How many one-time codes may be on their way: who asks has a few, one contact has more, and strangers
// never use up what stamped callers have. A new code takes the place of an old one where it can.

import { blockAround, ipBlockText, parseIpAddress } from '../../base/ip_address.ts';
import { fail } from '../../errors/errors.ts';

export const otpLimits = {
  triesPerCode: 3,
  /** Of one who asks: a stranger's source for one contact, or a user identifier. */
  asker: { sends: 3, liveCodes: 3 },
  /** Of one contact: by all strangers together, and as many again by stamped callers. */
  contact: { sends: 12, liveCodes: 12 },
  sendWindowMs: 3 * 60 * 1000,
  lifeSeconds: { minimum: 1, maximum: 600, fallback: 300 },
  userIdentifierCharacters: 256,
  /** Codes that an organization keeps. */
  keptCodes: 5_000,
  /** Of those, codes of strangers. */
  strangersCodes: 4_000,
} as const;

/** The members of a code that limits count. */
export type CountedCode = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly contact: string;
  /** Whom a stamped caller says the code is for. */
  readonly userIdentifier?: string | undefined;
  /** Where the stranger asked from for whom the onboarding proxy had it sent; absent: it did not. */
  readonly stranger?: string | undefined;
  readonly triesLeft: number;
  readonly expiresAtMs: number;
};

/** Returns true if the code can still be tried: neither used nor locked, and its time not over. */
export function isLive(row: CountedCode, now: number): boolean {
  return row.triesLeft > 0 && now < row.expiresAtMs;
}

/** Where a stranger asks from, as it is counted: the address, of IPv6 its network. */
export function strangerAt(address: string): string {
  const parsed = parseIpAddress(address);
  if (parsed === undefined) return 'unknown';
  return ipBlockText(blockAround(parsed, parsed.family === 'IPv4' ? 32 : 64));
}

/**
 * Returns what to delete for one more code: rows whose time is over or that are in its way, and codes
 * that can no longer be tried. Tries of others are not touched. Raises `otp_limit_reached`.
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
  const dropped = beyondRoom(kept, asked);
  if (dropped !== undefined) removed.push(dropped.id);
  return { removed, ended: ended.filter((row) => row !== dropped) };
}

/** A row is still counted as sent when its code is no longer live. */
function neededUntilMs(row: CountedCode): number {
  return Math.max(row.expiresAtMs, row.createdAtMs + otpLimits.sendWindowMs);
}

function checkSends(
  kept: readonly CountedCode[],
  asked: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
  now: number,
): void {
  const { asker, contact, sendWindowMs } = otpLimits;
  const sent = kept.filter((row) => now < row.createdAtMs + sendWindowMs);
  const name = askerOf(asked);
  const byAsker = name === undefined ? [] : sent.filter((row) => askerOf(row) === name);
  const toContact = sent.filter(
    (row) => row.contact === asked.contact && isByStranger(row) === isByStranger(asked),
  );
  if (byAsker.length < asker.sends && toContact.length < contact.sends) return;
  const minutes = sendWindowMs / 60_000;
  const reason = `at most ${asker.sends} in ${minutes} minutes, and ${contact.sends} to one contact`;
  fail('otp_limit_reached', { reason });
}

/** The oldest live codes of whoever asks, or of the contact where nobody is named. */
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
 * Where all room is taken, the oldest code of the stranger with the most of them: what one takes delays
 * itself first, and stamped callers last. Raises `otp_limit_reached` where there are no strangers.
 */
function beyondRoom<Row extends CountedCode>(
  kept: readonly Row[],
  asked: Pick<CountedCode, 'stranger'>,
): Row | undefined {
  const ofStrangers = kept.filter(isByStranger);
  const isFull =
    kept.length >= otpLimits.keptCodes ||
    (isByStranger(asked) && ofStrangers.length >= otpLimits.strangersCodes);
  if (!isFull) return undefined;
  const bySource = Map.groupBy(ofStrangers, (row) => row.stranger ?? '');
  const [largest] = [...bySource.values()].toSorted((a, b) => b.length - a.length);
  const oldest = largest?.reduce((a, b) => (b.createdAtMs < a.createdAtMs ? b : a));
  if (oldest !== undefined) return oldest;
  return fail('otp_limit_reached', { reason: 'the organization has too many at this time' });
}

function isByStranger({ stranger }: Pick<CountedCode, 'stranger'>): boolean {
  return stranger !== undefined;
}

/** Whom sends are counted for beside the contact; undefined for a stamped caller who names nobody. */
function askerOf(
  row: Pick<CountedCode, 'contact' | 'userIdentifier' | 'stranger'>,
): string | undefined {
  if (row.stranger !== undefined) return `stranger ${row.stranger} ${row.contact}`;
  return row.userIdentifier === undefined ? undefined : `user ${row.userIdentifier}`;
}
