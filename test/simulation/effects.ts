// The exact writes of each activity. Partial, misplaced and unrequested writes become complaints.

import type { RecordKind } from '../../src/core/organization/model.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { activityCases } from '../operations/cases.ts';
import { operationOfType } from './authority.ts';
import { codeEffects, triedCodeFacts } from './code_effects.ts';
import { countEffects, countedOperations } from './counted.ts';
import {
  type Effect,
  type Expected,
  type Input,
  idsWhere,
  isProven,
  isSame,
  proven,
  recordKinds,
  rowsIn,
  sameIds,
} from './effect_parts.ts';
import { type TrueState, waitingStatuses } from './true_state.ts';
import { intentOf, resultOf } from './wire.ts';

/** Returns complaints about the effect of an activity on its organization and on new children. */
export function effectComplaints(input: {
  readonly activity: Activity;
  readonly before: TrueState;
  readonly after: TrueState;
  readonly children: readonly TrueState[];
}): string[] {
  const { before, after, children } = input;
  const expected = expectedOf(input);
  if (expected === undefined) return ['nobody knows what it does'];
  const complaints = [...(expected.complaints ?? [])];
  const voted = input.activity.votes.at(-1)?.credentialId;
  for (const kind of recordKinds) {
    complaints.push(...kindComplaints(kind, { ...expected, voted }, before, after));
  }
  const headChanged = JSON.stringify(before.head) !== JSON.stringify(after.head);
  if (headChanged && expected.head !== true) complaints.push('the head changed');
  if (children.length !== (expected.children ?? 0)) {
    complaints.push(`${children.length} other organizations changed`);
  }
  for (const [fact, isTrue] of Object.entries(expected.facts ?? {})) {
    if (!isTrue) complaints.push(`not so: ${fact}`);
  }
  return complaints;
}

/** Returns the expected effect, or undefined for an activity without rows. */
function expectedOf(input: Parameters<typeof effectComplaints>[0]): Expected | undefined {
  const { activity, ...states } = input;
  const { id, status } = activity;
  const hasWaited = states.before.rows.open_activity.has(id);
  if (waitingStatuses.includes(status)) {
    const ids = { open_activity: [id] };
    return hasWaited ? { updated: ids } : { created: { ...ids, voted_activity: [id] } };
  }
  const ended = hasWaited ? [id] : [];
  const isUndone = ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'].includes(status);
  const operation = operationOfType.get(activity.type) ?? '';
  const done = {
    intent: intentOf(activity),
    result: resultOf(activity),
    submitterId: activity.submitterId,
    ...states,
  };
  if (isUndone) {
    const isTried = activityOperations[operation]?.countsTries === true;
    return {
      deleted: { open_activity: ended },
      ...(isTried
        ? { updated: { otp_code: [done.intent.otpId] }, facts: triedCodeFacts(done) }
        : {}),
    };
  }
  const expected = withCounts(effects[operation]?.(done), operation, done);
  const deletedOf = (kind: RecordKind, ids: readonly string[]) => [
    ...new Set([...(expected?.deleted?.[kind] ?? []), ...ids]),
  ];
  const open_activity = deletedOf('open_activity', ended);
  const ip_allowlist = deletedOf('ip_allowlist', listsOfGoneKeys(states));
  return expected && { ...expected, deleted: { ...expected.deleted, open_activity, ip_allowlist } };
}

/** Adds the expected counts of the organization's controls. */
function withCounts(
  expected: Expected | undefined,
  operation: string,
  done: Input,
): Expected | undefined {
  if (expected === undefined || !countedOperations.includes(operation)) return expected;
  const { created, updated, mayGo, facts } = countEffects(done);
  return {
    ...expected,
    created: { ...expected.created, velocity_counter: created },
    updated: { ...expected.updated, velocity_counter: updated },
    mayGo: { ...expected.mayGo, velocity_counter: mayGo },
    facts: { ...expected.facts, ...facts },
  };
}

/** Returns the IP allowlists of deleted keys. */
function listsOfGoneKeys({
  before,
  after,
}: Record<'before' | 'after', TrueState>): readonly string[] {
  const keysIn = (state: TrueState) =>
    new Set(rowsIn(state, 'api_key').map(({ publicKey }) => publicKey.toLowerCase()));
  const gone = keysIn(before).difference(keysIn(after));
  return idsWhere(
    before,
    'ip_allowlist',
    ({ publicKey }) => publicKey !== undefined && gone.has(publicKey),
  );
}

function kindComplaints(
  kind: RecordKind,
  expected: Expected & { readonly voted: string | undefined },
  before: TrueState,
  after: TrueState,
): string[] {
  const [old, now] = [before.rows[kind], after.rows[kind]] as const;
  const complaints: string[] = [];
  const created = [...now.keys()].filter((id) => !old.has(id));
  const wanted = expected.created?.[kind] ?? 0;
  const isCreated =
    typeof wanted === 'number' ? created.length === wanted : sameIds(created, wanted);
  if (!isCreated) complaints.push(`new ${kind}: ${created}, expected ${wanted}`);
  const mayGo = expected.mayGo?.[kind] ?? [];
  const deleted = [...old.keys()].filter((id) => !now.has(id) && !mayGo.includes(id));
  const gone = expected.deleted?.[kind] ?? [];
  if (!sameIds(deleted, gone)) complaints.push(`deleted ${kind}: ${deleted}, expected ${gone}`);
  const updatable = expected.updated?.[kind] ?? [];
  for (const [id, row] of now) {
    const earlier = old.get(id);
    if (earlier === undefined || earlier === row || updatable.includes(id)) continue;
    // The first signature of a credential is recorded on the credential, which stays unchanged otherwise.
    if (id === expected.voted && !isProven(earlier) && isSame({ ...earlier, ...proven }, row))
      continue;
    complaints.push(`${kind} ${id} was written`);
  }
  return complaints;
}

/** Effects by the name of the operation. */
const effects: Readonly<Record<string, Effect>> = {
  ...codeEffects,
  ...Object.fromEntries(
    Object.entries(activityCases).flatMap(([name, { effect }]) =>
      effect === undefined ? [] : [[name, effect]],
    ),
  ),
};
