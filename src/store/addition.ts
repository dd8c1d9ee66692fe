// The change that most changes are: one new activity on the condition of one version that stays. A
// database can decide about it and write it in one step.

import { noChange, type StoreChange, type StoredActivity, type StoredEvent } from './port.ts';

/** An organization and the one above it. */
const maximumConditions = 2;

export type ActivityInsert = {
  readonly activity: StoredActivity;
  /** Conditions on its organization, and on others that the decision depends on. */
  readonly conditions: StoreChange['conditions'];
  readonly events: readonly StoredEvent[];
};

/** The change that an addition is. */
export function changeOf({ activity, conditions, events }: ActivityInsert): StoreChange {
  return { ...noChange, conditions, activities: [activity], events };
}

/** The change as an addition, undefined where it is more than that. */
export function additionOf(change: StoreChange): ActivityInsert | undefined {
  const { activities, conditions, organizations, records, deletedRecords } = change;
  const { lookups, deletedLookups, redeliveries, deployment } = change;
  // Without a list of these lists, since every signature passes here twice.
  const isAlone =
    activities.length === 1 &&
    organizations.length === 0 &&
    records.length === 0 &&
    deletedRecords.length === 0 &&
    lookups.length === 0 &&
    deletedLookups.length === 0 &&
    redeliveries.length === 0 &&
    deployment === undefined;
  const activity = isAlone ? activities[0] : undefined;
  if (activity?.version !== 1) return undefined;
  // Version 0 is the condition that there is no such organization.
  const areFew = conditions.length >= 1 && conditions.length <= maximumConditions;
  const holds = areFew && conditions.every(({ version }) => version > 0);
  return holds ? { activity, conditions, events: change.events } : undefined;
}
