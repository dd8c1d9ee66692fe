// Judges an answer after an attack. A service may give its usual answer, or refuse with a log line that
// names the place of the damage. If rows are withheld, it may also answer that something does not exist.

import { isDeepStrictEqual } from 'node:util';
import { isChainCursor } from '../../src/enclave/records/chain_cursor.ts';
import { unknownId } from '../../src/enclave/records/record_codec.ts';
import type { LogLine } from '../enclave/service_over.ts';
import type { TestAnswer } from '../support/harness.ts';
import type { Probe } from './probes.ts';
import { cell, cellText, organizationOf, type RowChange } from './tables.ts';

/** The effect of an attack, as far as it determines the permitted answers. */
export type Damage = {
  readonly organizationIds: ReadonlySet<string>;
  /** The ids of altered rows, before and after the attack. */
  readonly recordIds: ReadonlySet<string>;
  /** A row is deleted, or is no longer found by its group, parent, type, status or body. */
  readonly isWithheld: boolean;
  /** An activity is withheld. */
  readonly isForgotten: boolean;
  /** The unsealed counter of an endpoint has another number of events. */
  readonly isMiscounted: boolean;
};

/** Untampered answers by the name of their probe. */
export type Baseline = ReadonlyMap<string, TestAnswer>;

/** Columns by which rows are found, besides their keys. */
const findingColumns = [
  ...['group_id', 'parent_id', 'type', 'status', 'bucket', 'fingerprint'],
  'endpoint_id',
];

export function damageOf(changes: readonly RowChange[]): Damage {
  const ids = changes.flatMap(({ table, before, after }) =>
    [before, after].map((row) => (row === undefined ? undefined : organizationOf(table, row))),
  );
  const withheld = changes.filter(
    ({ before, after }) =>
      before !== undefined &&
      (after === undefined ||
        findingColumns.some(
          (name) => cellText(cell(before, name)) !== cellText(cell(after, name)),
        )),
  );
  const recordIds = changes.flatMap(({ before, after }) => [
    ...[before, after].flatMap((row) =>
      row === undefined
        ? []
        : [cell(row, 'id'), `${cell(row, 'endpoint_id')}/${cell(row, 'event_id')}`],
    ),
  ]);
  return {
    organizationIds: new Set(ids.filter((id) => id !== undefined)),
    recordIds: new Set(recordIds.filter((id) => typeof id === 'string')),
    isWithheld: withheld.length > 0 || changes.some(isOfChain),
    isForgotten: withheld.some(({ table }) => table === 'activities'),
    isMiscounted: changes.some(
      ({ before, after }) =>
        before !== undefined &&
        after !== undefined &&
        cellText(cell(before, 'last_sequence')) !== cellText(cell(after, 'last_sequence')),
    ),
  };
}

/**
 * True for the progress of watching a chain. An earlier state remains unnoticed; it shows fewer
 * transactions.
 */
function isOfChain({ table, before, after }: RowChange): boolean {
  return (
    table === 'organizations' &&
    [before, after].some((row) => row !== undefined && isChainCursor(String(cell(row, 'id'))))
  );
}

/** The outcomes of a probe; only `wrong` is forbidden. */
export const verdicts = ['same', 'refused', 'withheld', 'done again', 'wrong'] as const;
export type Verdict = (typeof verdicts)[number];

/** Returns the verdict on an answer, with a complaint if it is wrong. */
export function judge(
  probe: Probe,
  expected: TestAnswer,
  got: TestAnswer,
  lines: readonly LogLine[],
  baseline: Baseline,
  damage: Damage,
): { readonly verdict: Verdict; readonly complaint?: string } {
  if (got.status === 500) {
    const complaint = complaintOfRefusal(got, lines, damage);
    return complaint === undefined ? { verdict: 'refused' } : { verdict: 'wrong', complaint };
  }
  const [line] = lines;
  if (line !== undefined) {
    const complaint = `a line in the log without a refusal: ${JSON.stringify(line)}`;
    return { verdict: 'wrong', complaint };
  }
  if (isDeepStrictEqual(got, expected)) return { verdict: 'same' };
  if (damage.isMiscounted && isDeepStrictEqual(withoutCount(got), withoutCount(expected))) {
    return { verdict: 'withheld' };
  }
  if (damage.isWithheld && isWithheldAnswer(probe, got, baseline)) return { verdict: 'withheld' };
  if (damage.isForgotten && probe.isRepetition === true && actsAnew(probe, expected, got)) {
    return { verdict: 'done again' };
  }
  return { verdict: 'wrong', complaint: `expected ${shown(expected)}, got ${shown(got)}` };
}

function complaintOfRefusal(
  answer: TestAnswer,
  lines: readonly LogLine[],
  damage: Damage,
): string | undefined {
  const [line, second] = lines;
  if (line === undefined || second !== undefined) return `${lines.length} lines of a refusal`;
  if (line.level !== 'error' || !namesRecord(line, damage)) {
    return `a line that does not name what was altered: ${JSON.stringify(line)}`;
  }
  const turnkeyErrorCode = 'INTERNAL';
  const told = {
    code: 13,
    message: `internal server error (${line.fields['requestId']})`,
    details: [{ '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }],
    turnkeyErrorCode,
  };
  return isDeepStrictEqual(answer.body, told)
    ? undefined
    : `tells more than a number: ${shown(answer)}`;
}

/**
 * Returns true if the log line names the damaged record and its organization, and reveals nothing of its
 * content.
 */
function namesRecord({ message, fields }: LogLine, damage: Damage): boolean {
  const { requestId, organizationId, kind, id, version, ...more } = fields;
  return (
    message === 'a stored record was refused: it differs from the record sealed for its place' &&
    typeof requestId === 'string' &&
    typeof organizationId === 'string' &&
    damage.organizationIds.has(organizationId) &&
    typeof kind === 'string' &&
    typeof id === 'string' &&
    (damage.recordIds.has(id) || id === organizationId || id === unknownId) &&
    typeof version === 'number' &&
    Object.keys(more).length === 0
  );
}

function isWithheldAnswer(probe: Probe, got: TestAnswer, baseline: Baseline): boolean {
  if (isAbsence(got)) return true;
  if (probe.alternatives?.some((name) => isDeepStrictEqual(got, baseline.get(name))) === true) {
    return true;
  }
  if (got.status !== 200) return false;
  if (probe.makesAgain !== undefined) {
    const result = { createWalletAccountsResult: { addresses: [probe.makesAgain] } };
    return isDeepStrictEqual(got.body.activity.result, result);
  }
  if (probe.namesUsedNonce === true) {
    return got.body.activity?.status === 'ACTIVITY_STATUS_COMPLETED';
  }
  if (probe.list !== undefined) {
    const { member, whole } = probe.list;
    return isPartOf(membersOf(got.body, member), membersOf(baseline.get(whole)?.body, member));
  }
  if (probe.operation === 'simulate_policies') return lacksFacts(probe, got, baseline);
  if (probe.accountOf !== undefined) {
    const { path, whole } = probe.accountOf;
    const known = membersOf(baseline.get(whole)?.body, 'accounts');
    const isKnown = known.some((account) => isDeepStrictEqual(got.body, { account }));
    return isKnown && got.body.account.path === path;
  }
  return false;
}

/** Returns true if past decisions are unchanged, apart from those that the answer marks as unknown. */
function lacksFacts(probe: Probe, got: TestAnswer, baseline: Baseline): boolean {
  const known = membersOf(baseline.get(probe.name)?.body, 'decisions') as readonly Decided[];
  const shown = membersOf(got.body, 'decisions') as readonly Decided[];
  // No page lists a withheld activity.
  const ids = new Set(shown.map(({ activityId }) => activityId));
  const left = known.filter(({ activityId }) => ids.has(activityId));
  return (
    shown.length === left.length &&
    shown.every((decided, place) => {
      const { activityId, obstacle, wouldBe, flips } = decided;
      const isUntold = obstacle !== undefined && wouldBe === undefined && !flips;
      const isSame = isDeepStrictEqual(decided, left[place]);
      return isSame || (isUntold && activityId === left[place]?.activityId);
    })
  );
}

type Decided = {
  readonly activityId: string;
  readonly flips: boolean;
  readonly wouldBe?: string;
  readonly obstacle?: string;
};

/** Returns the answer without the number of events, the only member that depends on a counter. */
function withoutCount({ status, body }: TestAnswer): TestAnswer {
  const { lastSequence: _, ...rest } = body;
  return { status, body: rest };
}

/** True for an answer that something is not found, or that no user has the key. */
function isAbsence({ status, body }: TestAnswer): boolean {
  return status === 404 || (status === 401 && body.turnkeyErrorCode === 'PUBLIC_KEY_NOT_FOUND');
}

function isPartOf(items: readonly unknown[], whole: readonly unknown[]): boolean {
  let position = 0;
  for (const item of items) {
    const found = whole
      .slice(position)
      .findIndex((known) => isDeepStrictEqual(known, item) || isLessTold(known, item));
    if (found === -1) return false;
    position += found + 1;
  }
  return true;
}

/** True for a transaction in a history whose origin or time of sending is no longer found. */
function isLessTold(known: unknown, item: unknown): boolean {
  if (typeof known !== 'object' || known === null || !('turnkey' in known)) return false;
  const { turnkey, ...rest } = known;
  if (isDeepStrictEqual({ ...rest, origin: 'EXTERNAL' }, item)) return true;
  const { activityFingerprint: _, ...left } = { activityFingerprint: '', ...(turnkey as object) };
  return isDeepStrictEqual({ ...rest, turnkey: left }, item);
}

function membersOf(body: unknown, member: string): readonly unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  const value: unknown = Object.entries(body).find(([name]) => name === member)?.[1];
  return Array.isArray(value) ? value : [];
}

/**
 * If the row of an activity is deleted, its body can act again, provided that it did not change the
 * organization itself: signing returns the same signature, and a child is created again. The body may also
 * be refused, because it is too old or because its target is missing. An organization remembers all
 * activities that changed it.
 */
function actsAnew(probe: Probe, expected: TestAnswer, got: TestAnswer): boolean {
  const isSigning = probe.operation.startsWith('sign_');
  if (!isSigning && probe.operation !== 'create_sub_organization') return false;
  if (got.status === 400 || got.status === 404) return true;
  if (got.status !== 200) return false;
  const [was, is] = [expected.body.activity, got.body.activity];
  const isSame = was.type === is.type && was.organizationId === is.organizationId;
  return (
    isSame &&
    isDeepStrictEqual(was.intent, is.intent) &&
    (!isSigning || isDeepStrictEqual(was.result, is.result))
  );
}

function shown({ status, body }: TestAnswer): string {
  return `${status} ${JSON.stringify(body)}`;
}
