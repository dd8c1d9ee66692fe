// The values of `controls.<identifier>` for policies, and the counting of executed requests. Counters are
// rows of the organization, written in the same commit as the request.

import type { Context } from '../../base/context.ts';
import { createRowIndex } from '../../organization/indexes/row_index.ts';
import type { User } from '../../organization/model.ts';
import type {
  VelocityControl,
  VelocityCounter,
} from '../../organization/records/velocity_controls.ts';
import type { OrganizationDraft, OrganizationView } from '../../organization/state.ts';
import type { Facts } from '../decision/access.ts';
import { identifiersIn } from '../language/controls_read.ts';
import { type FactStruct, noControls } from '../language/values.ts';
import { type CountedRequest, type EvaluableControl, evaluableControl } from './control.ts';
import { emptyCounter, isSpent, sumAt, withAmount } from './counter.ts';

/** Maximum number of an organization's counters, for all controls and groups; all are loaded with it. */
export const maximumCounters = 1_000;

/** Returns the request as controls count it. */
export function countedRequest(
  activityType: string,
  facts: Facts,
  submitter: User,
  organization: OrganizationView,
): CountedRequest {
  const { parts = [] } = facts;
  const keys = [facts, ...parts.map(({ signer }) => signer ?? {})];
  const used = keys.flatMap(({ wallet, privateKey }) => wallet?.id ?? privateKey?.id ?? []);
  const isOwn = organization.get('user', submitter.id) !== undefined;
  return {
    activityType,
    executions: Math.max(1, parts.length),
    transfers: parts.flatMap(({ moves }) => {
      if (moves === undefined) return [];
      const { chain } = moves;
      return moves.transfers().map((transfer) => ({ chain, ...transfer }));
    }),
    userId: isOwn ? submitter.id : '',
    walletIds: used.length === 0 ? [''] : [...new Set(used)],
  };
}

/** The sum of one group of a control, in the counter's unit. */
type ControlUsage = {
  readonly control: VelocityControl;
  readonly groupId: string;
  readonly sum: bigint;
  readonly places: number;
};

/** Returns the current sums, ordered by control, oldest first: at most `maximumCounters`. */
export function usageOfControls(
  organization: OrganizationView,
  now: number,
): readonly ControlUsage[] {
  const counters = Map.groupBy(organization.list('velocity_counter'), ({ controlId }) => controlId);
  return organization.list('velocity_control').flatMap((control) => {
    const { window, places } = evaluableControl(control);
    return (counters.get(control.id) ?? []).flatMap((counter) => {
      if (isOfNothing(counter, organization, now)) return [];
      return [{ control, groupId: counter.groupId, sum: sumAt(counter, window, now), places }];
    });
  });
}

/** Returns true if an organization has controls; without any, counting costs nothing. */
function hasControls(organization: OrganizationView): boolean {
  return organization.rows('velocity_control').size > 0;
}

/**
 * Returns for each control that policies read whether it holds after the request, in every group of the
 * request.
 */
export function controlFacts(
  organization: OrganizationView,
  request: () => CountedRequest,
  now: number,
): FactStruct {
  if (!hasControls(organization)) return noControls;
  const read = controlsReadByPolicies(organization);
  const controls = controlsOf(organization).filter(({ identifier }) => read.has(identifier));
  if (controls.length === 0) return noControls;
  const counted = request();
  const facts: { [identifier: string]: boolean } = Object.create(null);
  for (const control of controls) {
    const groups = control.groupsOf(counted);
    const known = groups.map((groupId) => counterOf(organization, control.id, groupId));
    // Omits a control without room for its counters, so an ALLOW that reads it fails.
    if (known.includes(undefined) && !hasRoom(organization, groups.length, now)) continue;
    // Omits it also if the request may move more than it shows.
    if (!control.isKnown(counted)) continue;
    const amount = control.amountOf(counted);
    facts[control.identifier] = known.every((counter) =>
      control.holds(sumAt(counter ?? emptyCounter, control.window, now) + amount),
    );
  }
  return facts;
}

/**
 * Counts an executed request for the controls that existed at the decision and still exist. Without room for
 * another counter, the request is executed uncounted; no policy could read the control for it. Otherwise a
 * user who fills the counters would block all others.
 */
export function countRequest(
  before: OrganizationView,
  request: () => CountedRequest,
  draft: OrganizationDraft,
  context: Context,
): void {
  if (!hasControls(before)) return;
  const counted = request();
  const changed = controlsOf(before).filter(
    (control) =>
      draft.get('velocity_control', control.id) !== undefined && control.amountOf(counted) > 0n,
  );
  if (changed.length === 0) return;
  removeSpent(draft, context.now);
  for (const control of changed) {
    for (const groupId of control.groupsOf(counted)) {
      count({ control, groupId, amount: control.amountOf(counted) }, draft, context);
    }
  }
}

function count(
  {
    control,
    groupId,
    amount,
  }: {
    readonly control: EvaluableControl;
    readonly groupId: string;
    readonly amount: bigint;
  },
  draft: OrganizationDraft,
  { now, newId }: Context,
): void {
  const known = counterOf(draft, control.id, groupId);
  if (known === undefined && draft.rows('velocity_counter').size >= maximumCounters) return;
  const { id, createdAtMs } = known ?? { id: newId(), createdAtMs: now };
  const grown = withAmount(known ?? emptyCounter, control.window, now, amount);
  draft.put('velocity_counter', { id, createdAtMs, controlId: control.id, groupId, ...grown });
}

/** Returns true if there is room for counters of each control, after removing counters without amounts. */
function hasRoom(organization: OrganizationView, groups: number, now: number): boolean {
  const needed = groups * organization.rows('velocity_control').size;
  const counters = organization.list('velocity_counter');
  if (counters.length + needed <= maximumCounters) return true;
  const kept = counters.filter((counter) => !isOfNothing(counter, organization, now));
  return kept.length + needed <= maximumCounters;
}

/** Removes counters without amounts, and those of deleted groups. */
function removeSpent(draft: OrganizationDraft, now: number): void {
  for (const counter of draft.list('velocity_counter')) {
    if (isOfNothing(counter, draft, now)) draft.remove('velocity_counter', counter.id);
  }
}

function isOfNothing(
  counter: VelocityCounter,
  organization: OrganizationView,
  now: number,
): boolean {
  const control = organization.get('velocity_control', counter.controlId);
  if (control === undefined || isGroupGone(counter.groupId, organization)) return true;
  return isSpent(counter, evaluableControl(control).window, now);
}

/** Returns true if a group was deleted; IDs are never reused. */
function isGroupGone(groupId: string, organization: OrganizationView): boolean {
  if (groupId === '') return false;
  const kinds = ['user', 'wallet', 'private_key'] as const;
  return !kinds.some((kind) => organization.get(kind, groupId) !== undefined);
}

/** Returns the identifiers that an organization's policies read, computed once until a policy changes. */
const controlsReadByPolicies = createRowIndex(
  'policy',
  (policies): ReadonlySet<string> =>
    new Set([...policies].flatMap(({ condition }) => identifiersIn(condition))),
);

const controlsOf = createRowIndex('velocity_control', (rows): readonly EvaluableControl[] =>
  [...rows].map(evaluableControl),
);

function counterOf(
  organization: OrganizationView,
  controlId: string,
  groupId: string,
): VelocityCounter | undefined {
  return countersByGroup(organization).get(`${controlId}/${groupId}`);
}

const countersByGroup = createRowIndex(
  'velocity_counter',
  (rows) => new Map([...rows].map((row) => [`${row.controlId}/${row.groupId}`, row])),
);
