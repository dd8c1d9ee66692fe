// The batch that most batches are, new activities on the condition of versions that stay, in one
// round trip: the versions are held, what fits them is inserted, and it is committed. What was not
// inserted met a conflict or a duplicate; which of them, the long way tells.

import { activityKey, fingerprintKey } from './batch.ts';
import type { StoreChange } from './port.ts';
import { type Addition, plain, rowsStatements } from './postgres_queries.ts';
import type { Session } from './postgres_session.ts';
import { textOf } from './rows.ts';

/** Bytes of one batch; what is larger goes the long way. */
const maximumBytes = 16 * 1024 * 1024;

const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');

/** The rows of a batch that can go this way, undefined where another change is among them. */
export function additionsOf(changes: readonly StoreChange[]): readonly Addition[] | undefined {
  const additions: Addition[] = [];
  const keys = new Set<string>();
  let lengthBytes = 0;
  for (const change of changes) {
    const [activity] = change.activities;
    const [condition] = change.conditions;
    const isAddition =
      change.activities.length === 1 && activity?.version === 1 && change.conditions.length === 1;
    if (!isAddition || condition === undefined || condition.version === 0) return undefined;
    if (changesMore(change)) return undefined;
    keys.add(activityKey(activity)).add(fingerprintKey(activity));
    lengthBytes += activity.body.length;
    additions.push({ activity, condition });
  }
  // A key that a batch names twice would leave open which of the two was inserted.
  const isDistinct = keys.size === additions.length * 2;
  return isDistinct && lengthBytes <= maximumBytes ? additions : undefined;
}

/**
 * Gives the activities that were inserted, by `activityKey`; they are durable once this has resolved.
 * When it rejects, the outcome is not known.
 */
export async function addActivities(
  session: Session,
  additions: readonly Addition[],
): Promise<ReadonlySet<string>> {
  const organizationIds = new Set(additions.map(({ condition }) => condition.organizationId));
  // In the order of keys that every node has: two batches wait for each other in one direction only.
  const sorted = additions
    .map((addition) => ({ addition, key: fingerprintKey(addition.activity) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ addition }) => addition);
  const [, , inserted = []] = await session.all([
    begin,
    rowsStatements.shareOrganizations([...organizationIds].sort().map((id) => ({ id }))),
    rowsStatements.addActivities(sorted),
    commit,
  ]);
  return new Set(
    inserted.map((row) =>
      activityKey({ organizationId: textOf(row['organization_id']), id: textOf(row['id']) }),
    ),
  );
}

function changesMore(change: Omit<StoreChange, 'activities' | 'conditions'>): boolean {
  const { organizations, records, deletedRecords, lookups, deletedLookups, deployment } = change;
  const lists = [organizations, records, deletedRecords, lookups, deletedLookups];
  return deployment !== undefined || lists.some((list) => list.length > 0);
}
