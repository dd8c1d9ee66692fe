// The most frequent change: inserts one activity, conditional on unchanged versions. A database can decide
// and write it in one step.

import { noChange, type StoreChange, type StoredActivity, type StoredEvent } from './port.ts';

/** Conditions on an organization and its parent. */
const maximumConditions = 2;

export type ActivityInsert = {
  readonly activity: StoredActivity;
  /** Conditions on its organization, and on others that the decision depends on. */
  readonly conditions: StoreChange['conditions'];
  readonly events: readonly StoredEvent[];
};

/** Returns an addition as a change. */
export function changeOf({ activity, conditions, events }: ActivityInsert): StoreChange {
  return { ...noChange, conditions, activities: [activity], events };
}

/** Returns a change as an addition; undefined if it changes more. */
export function additionOf(change: StoreChange): ActivityInsert | undefined {
  const { activities, conditions, organizations, records, deletedRecords } = change;
  const { lookups, deletedLookups, redeliveries, deployment } = change;
  // Avoids an array of these lists, because every signature passes here twice.
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
  // Version 0 means that the organization must not exist.
  const areFew = conditions.length >= 1 && conditions.length <= maximumConditions;
  const holds = areFew && conditions.every(({ version }) => version > 0);
  return holds ? { activity, conditions, events: change.events } : undefined;
}
