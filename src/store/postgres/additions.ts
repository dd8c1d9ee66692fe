// The fast path of a batch: new activities conditional on unchanged versions, in one round trip. It locks the
// versions or guards, inserts matching activities, and commits. Activities that were not inserted met a
// conflict or a duplicate, which the slow path distinguishes.

import { type ActivityInsert, additionOf } from '../addition.ts';
import { activityKey, fingerprintKey } from '../commits/batch.ts';
import type { StoreChange } from '../port.ts';
import { textOf } from '../tables/rows.ts';
import { addActivitiesWithEvents, organizationLockOf, plain, rowsStatements } from './queries.ts';
import type { Session } from './session.ts';

/** Bytes of one batch; larger rows are written one by one. */
const maximumBytes = 16 * 1024 * 1024;

const begin = plain('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
const commit = plain('COMMIT');

/** The batch as additions, undefined where another change is among them. */
export function additionsOf(
  changes: readonly StoreChange[],
): readonly ActivityInsert[] | undefined {
  const additions = changes.map(additionOf).filter((addition) => addition !== undefined);
  if (additions.length < changes.length) return undefined;
  // A key that a batch names twice would leave open which of the two was inserted.
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
 * Returns the activities that were inserted, by `activityKey`; they are durable once this has resolved.
 * When it rejects, the outcome is not known.
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
  // All nodes use this order of keys, so two batches cannot wait for each other in a circle.
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
