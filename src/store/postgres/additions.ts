// The fast path of a batch: inserts activities conditional on unchanged versions, in one round trip. It locks
// the versions or guards, inserts matching activities, and commits. The slow path then decides whether each
// missing activity is a conflict or a duplicate.

import { type ActivityInsert, additionOf } from '../addition.ts';
import { activityKey, fingerprintKey } from '../commits/batch.ts';
import type { StoreChange } from '../port.ts';
import { textOf } from '../tables/rows.ts';
import { addActivitiesWithEvents, organizationLockOf, plain, rowsStatements } from './queries.ts';
import type { Session } from './session.ts';

/** Maximum bytes of a batch on the fast path; larger batches take the slow path. */
const maximumBytes = 16 * 1024 * 1024;

const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');

/** Returns the batch as additions; undefined if it is too large, repeats a key, or has another change. */
export function additionsOf(
  changes: readonly StoreChange[],
): readonly ActivityInsert[] | undefined {
  const additions = changes.map(additionOf).filter((addition) => addition !== undefined);
  if (additions.length < changes.length) return undefined;
  // The result could not distinguish two insertions with the same key.
  const keys = additions.flatMap(({ activity }) => [
    activityKey(activity),
    fingerprintKey(activity),
  ]);
  const isDistinct = new Set(keys).size === keys.length;
  const bodies = additions.flatMap(({ activity, events }) => [activity, ...events]);
  const lengthBytes = bodies.reduce((sum, { body }) => sum + body.length, 0);
  return isDistinct && lengthBytes <= maximumBytes ? additions : undefined;
}

/**
 * Returns the inserted activities by `activityKey`, durable once this resolves. If it rejects, the outcome is
 * unknown.
 */
export async function addActivities(
  session: Session,
  additions: readonly ActivityInsert[],
): Promise<ReadonlySet<string>> {
  const allConditions = additions.flatMap(({ conditions }) => conditions);
  const organizationIds = new Set(allConditions.map(({ organizationId }) => organizationId));
  const events = additions
    .flatMap(({ activity, events: ofActivity }) => ofActivity.map((event) => ({ activity, event })))
    .map((event, place) => ({ ...event, place }));
  // All nodes use this order of keys, which prevents deadlocks between batches.
  const sorted = additions
    .map((addition) => ({ addition, key: fingerprintKey(addition.activity) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ addition }) => addition);
  const [, , inserted = []] = await session.all([
    begin,
    organizationLockOf(allConditions, [])([...organizationIds].sort().map((id) => ({ id }))),
    events.length === 0
      ? rowsStatements.addActivities(sorted)
      : addActivitiesWithEvents(sorted, events),
    commit,
  ]);
  return new Set(
    inserted.map((row) =>
      activityKey({ organizationId: textOf(row['organization_id']), id: textOf(row['id']) }),
    ),
  );
}
