// The change that most changes are: one new activity on the condition of one version that stays. A
// database can decide about it and write it in one step.

import type { StoreChange, StoredActivity } from './port.ts';

export type Addition = {
  readonly activity: StoredActivity;
  readonly condition: StoreChange['conditions'][number];
};

/** The change that an addition is. */
export function changeOf({ activity, condition }: Addition): StoreChange {
  return {
    conditions: [condition],
    organizations: [],
    records: [],
    deletedRecords: [],
    lookups: [],
    deletedLookups: [],
    activities: [activity],
    deployment: undefined,
  };
}

/** The change as an addition, undefined where it is more than that. */
export function additionOf(change: StoreChange): Addition | undefined {
  const [activity, ...otherActivities] = change.activities;
  const [condition, ...otherConditions] = change.conditions;
  const { organizations, records, deletedRecords, lookups, deletedLookups } = change;
  const others = [otherActivities, otherConditions];
  const lists = [...others, organizations, records, deletedRecords, lookups, deletedLookups];
  const isAlone = lists.every((list) => list.length === 0) && change.deployment === undefined;
  if (!isAlone || activity?.version !== 1 || condition === undefined) return undefined;
  // Version 0 is the condition that there is no such organization.
  return condition.version > 0 ? { activity, condition } : undefined;
}
