// Judges an answer after an attack. A service may give what it would have said anyway, a refusal that tells
// the operator where, or, where rows are withheld, the answer that something is not there.

import { isDeepStrictEqual } from 'node:util';
import { isChainCursor } from '../../src/enclave/records/chain_cursor.ts';
import { unknownId } from '../../src/enclave/records/record_codec.ts';
import type { LogLine } from '../enclave/service_over.ts';
import type { TestAnswer } from '../support/harness.ts';
import type { Probe } from './probes.ts';
import { cell, cellText, organizationOf, type RowChange } from './tables.ts';

/** The effect of an attack, as far as it decides what may be answered. */
export type Damage = {
  readonly organizationIds: ReadonlySet<string>;
  /** Of rows that were altered, as they were and as they are. */
  readonly recordIds: ReadonlySet<string>;
  /** A row is gone, or no longer found by its group, parent, type, status or body. */
  readonly isWithheld: boolean;
  /** Of activities. */
  readonly isForgotten: boolean;
  /** The counter of an endpoint, which is not sealed, says another number of events. */
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

/** How far a chain was watched: nothing notices an earlier answer, which shows fewer transactions. */
function isOfChain({ table, before, after }: RowChange): boolean {
  return (
    table === 'organizations' &&
    [before, after].some((row) => row !== undefined && isChainCursor(String(cell(row, 'id'))))
  );
}

/** Permitted outcomes of a question, and forbidden ones: anything else is wrong. */
export const verdicts = ['same', 'refused', 'withheld', 'done again', 'wrong'] as const;
export type Verdict = (typeof verdicts)[number];

/** The verdict on an answer; where it is wrong, with a complaint. */
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

/** The line says which record of which organization, and nothing of what is in it. */
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

/** Past decisions as they are, but for those of which it is said that nobody can tell any more. */
function lacksFacts(probe: Probe, got: TestAnswer, baseline: Baseline): boolean {
  const known = membersOf(baseline.get(probe.name)?.body, 'decisions') as readonly Decided[];
  const shown = membersOf(got.body, 'decisions') as readonly Decided[];
  // Activities that are withheld are in no page.
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

/** Without the number of events, the one thing that a counter decides. */
function withoutCount({ status, body }: TestAnswer): TestAnswer {
  const { lastSequence: _, ...rest } = body;
  return { status, body: rest };
}

/** Not found, or a key that nobody is found to hold. */
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

/** A transaction of a history of which nobody finds any more that the organization sent it, or when. */
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
 * An activity whose row is gone lets its body be sent once more where it changed nothing in the
 * organization itself: signing gives the same signature again, a child is made once more. It may also
 * be refused, as too old or because what it needs is gone. All that changed the organization is
 * remembered by it.
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
