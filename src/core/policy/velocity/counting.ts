// The counts that policies read as `controls.<identifier>`, and how a request that is carried out is
// counted: the counters are rows of the organization, written by the very commit that carries it out.

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

/** Counters of an organization, of all controls and groups: they are loaded whole with it. */
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
      return moves.transfers().map((transfer) => ({ ...transfer, chain }));
    }),
    userId: isOwn ? submitter.id : '',
    walletIds: used.length === 0 ? [''] : [...new Set(used)],
  };
}

/** The counted amount of a control and a group, in the unit of the counter. */
type ControlUsage = {
  readonly control: VelocityControl;
  readonly groupId: string;
  readonly sum: bigint;
  readonly places: number;
};

/** Returns what counts at a moment, by control and oldest first: at most `maximumCounters` rows. */
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

/** Returns true if an organization has controls: where it has none nothing below costs anything. */
function hasControls(organization: OrganizationView): boolean {
  return organization.rows('velocity_control').size > 0;
}

/**
 * Returns for each control that policies read whether the counted amounts of the request's group, plus the
 * request, satisfy the control.
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
    // Leaves out a control that cannot be counted: an ALLOW that reads it allows nothing.
    if (known.includes(undefined) && !hasRoom(organization, groups.length, now)) continue;
    // Fails in the same way if the request may move more than it shows.
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
 * a further counter, no policy has read the control for this request, and it is executed uncounted. Otherwise
 * a user who fills the counters would block all others.
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

/**
 * Returns true if there is room for counters of each control, once those are removed that count
 * nothing.
 */
function hasRoom(organization: OrganizationView, groups: number, now: number): boolean {
  const needed = groups * organization.rows('velocity_control').size;
  const counters = organization.list('velocity_counter');
  if (counters.length + needed <= maximumCounters) return true;
  const kept = counters.filter((counter) => !isOfNothing(counter, organization, now));
  return kept.length + needed <= maximumCounters;
}

/** Removes counters that count nothing any more, and those of groups that are gone. */
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

/** Ids are never given again. */
function isGroupGone(groupId: string, organization: OrganizationView): boolean {
  if (groupId === '') return false;
  const kinds = ['user', 'wallet', 'private_key'] as const;
  return !kinds.some((kind) => organization.get(kind, groupId) !== undefined);
}

/** The identifiers that policies of an organization read; found once for as long as none changes. */
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
