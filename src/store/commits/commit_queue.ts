// Group commit: changes that wait at the same time become durable with one flush of the disk.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert, ServiceError } from '../../core/errors/errors.ts';
import type { CommitOutcome, StoreChange } from '../port.ts';
import type { BatchBegins } from '../store.ts';

export const maximumBatchChanges = 128;
export const maximumWaitingChanges = 4_096;

/** The outcome of one change of a batch. */
export type CommitResult = { readonly outcome: CommitOutcome } | { readonly error: unknown };

type CommitQueue = {
  /** Rejects with `overloaded` if too many changes wait. */
  submit(change: StoreChange): Promise<CommitOutcome>;
  /** Resolves once no change waits. */
  idle(): Promise<void>;
};

type Waiting = {
  readonly change: StoreChange;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Creates a queue in front of `writeBatch`. It passes changes in order of arrival, one batch at a time, and
 * returns one result for each once they are durable. `batchBegins` is called for each batch.
 */
export function createCommitQueue(
  writeBatch: (changes: readonly StoreChange[]) => Promise<readonly CommitResult[]>,
  batchBegins?: BatchBegins,
): CommitQueue {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Changes that arrive in this turn of the event loop join the batch, and other work runs between two
      // batches.
      await nextTurn();
      await commitBatch(waiting.splice(0, maximumBatchChanges));
    }
    running = undefined;
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    const ended = batchBegins?.(batch.length);
    try {
      const results = await writeBatch(batch.map(({ change }) => change));
      assert(results.length === batch.length, 'each change of a batch has a result');
      results.forEach((result, i) => {
        if ('error' in result) batch[i]?.reject(result.error);
        else batch[i]?.resolve(result.outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      ended?.();
    }
  }

  return {
    submit: (change) => {
      if (waiting.length >= maximumWaitingChanges) {
        return Promise.reject(new ServiceError('overloaded'));
      }
      const { promise, resolve, reject } = Promise.withResolvers<CommitOutcome>();
      waiting.push({ change, resolve, reject });
      running ??= drain();
      return promise;
    },
    idle: async () => running,
  };
}
