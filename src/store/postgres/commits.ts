// Writes batches of changes to PostgreSQL: additions in one round trip, and everything else in a transaction
// that is retried after a serialization conflict.

import { setTimeout as pause } from 'node:timers/promises';
import { assert } from '../../core/errors/errors.ts';
import { activityKey } from '../commits/batch.ts';
import type { CommitResult } from '../commits/commit_queue.ts';
import type { StoreChange } from '../port.ts';
import { ChangeAtFault } from '../store.ts';
import { addActivities, additionsOf } from './additions.ts';
import { isOfEarlierEpoch, kindOf, refusalOf } from './errors.ts';
import type { PostgresHealth } from './health.ts';
import type { Pool } from './session.ts';
import { writeBatch } from './writes.ts';

const earlierEpochPauseMs = 100;

/** Maximum attempts of a transaction that conflicts with others. */
export const maximumAttempts = 10;

type WriteChanges = (changes: readonly StoreChange[]) => Promise<readonly CommitResult[]>;

/** Returns the function that writes a batch over a connection of the pool. */
export function createCommits(
  health: Pick<PostgresHealth, 'use' | 'refuseInDoubt' | 'begin'>,
  pool: Pool,
): WriteChanges {
  const { use, refuseInDoubt } = health;

  async function writeChanges(changes: readonly StoreChange[]): Promise<readonly CommitResult[]> {
    const additions = additionsOf(changes);
    if (additions === undefined) return writeLong(changes);
    let added: ReadonlySet<string>;
    const confirmed = health.begin();
    try {
      refuseInDoubt();
      added = await use(pool, (session) => addActivities(session, additions));
      if (added.size > 0) confirmed();
    } catch (error) {
      // Nothing was committed: the slow path finds the failing change.
      if (isRolledBack(error)) return writeLong(changes);
      return changes.map(() => ({ error: refusalOf(error) }));
    }
    const isAdded = additions.map(({ activity }) => added.has(activityKey(activity)));
    const refused = await writeLong(changes.filter((_, i) => !isAdded[i]));
    const rest = refused.values();
    return isAdded.map((isCommitted): CommitResult => {
      if (isCommitted) return { outcome: 'committed' };
      const result = rest.next().value;
      assert(result !== undefined, 'each change of a batch has a result');
      return result;
    });
  }

  async function writeLong(changes: readonly StoreChange[]): Promise<readonly CommitResult[]> {
    if (changes.length === 0) return [];
    for (let attempt = 1; ; attempt += 1) {
      try {
        refuseInDoubt();
        const confirmed = health.begin();
        const results = await use(pool, (session) => writeBatch(session, changes));
        if (results.some(isCommitted)) confirmed();
        return results;
      } catch (error) {
        const kind = kindOf(error);
        if (kind === 'raced' && attempt < maximumAttempts) continue;
        if (kind !== 'change') return changes.map(() => ({ error: refusalOf(error) }));
        if (changes.length === 1) {
          if (isOfEarlierEpoch(error)) {
            // The enclave decides again. It follows the key epoch within a second, and attempts 20 times.
            await pause(earlierEpochPauseMs);
            return [{ outcome: 'conflict' }];
          }
          return [{ error: new ChangeAtFault(error) }];
        }
        // Repeats each change alone, to find the faulty change.
        const results: CommitResult[] = [];
        for (const change of changes) results.push(...(await writeLong([change])));
        return results;
      }
    }
  }

  return writeChanges;
}

const isCommitted = (result: CommitResult): boolean =>
  'outcome' in result && result.outcome === 'committed';

/** Returns true if the error proves that nothing was committed. */
function isRolledBack(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === 'raced' || kind === 'change';
}
