// How often a request is decided, and beside or after which others of its organization.

import { fail } from '../core/errors/errors.ts';
import { createKeyedQueue } from './keyed_queue.ts';

/** A decision whose organization changed under it is made again at most this often. */
export const maximumAttempts = 20;

/**
 * What runs beside the changes of its organization may lose to each of them. After so many losses it
 * queues with them.
 */
const optimisticAttempts = 3;

/** Beside the changes of the organization, or in the queue of its changes. */
export type Mode = 'optimistic' | 'serialized';

/**
 * `overtaken`: another change was committed first. `must_serialize`: the request changes its
 * organization, which only requests of the queue may.
 */
export type Attempted<Result> = Result | 'overtaken' | 'must_serialize';

export type Concurrency = <Result extends object>(
  request: {
    readonly organizationId: string;
    readonly startsOptimistic: boolean;
    readonly checkNotCancelled: (() => void) | undefined;
  },
  attempt: (mode: Mode) => Promise<Attempted<Result>>,
) => Promise<Result>;

/**
 * Creates the function that attempts a request until it is not overtaken: at first beside others if it
 * may, then in the queue of its organization. Raises `organization_busy` after the last attempt.
 */
export function createConcurrency(): Concurrency {
  const enqueue = createKeyedQueue();
  return async ({ organizationId, startsOptimistic, checkNotCancelled }, attempt) => {
    if (startsOptimistic) {
      const result = await repeat(optimisticAttempts, () => attempt('optimistic'));
      if (result !== undefined) return result;
    }
    return enqueue(organizationId, async () => {
      // An optimistic request has begun, and may have used up a code of a provider.
      if (!startsOptimistic) checkNotCancelled?.();
      const result = await repeat(maximumAttempts, () => attempt('serialized'));
      return result ?? fail('organization_busy', { attempts: maximumAttempts });
    });
  };
}

async function repeat<Result extends object>(
  maximum: number,
  attempt: () => Promise<Attempted<Result>>,
): Promise<Result | undefined> {
  for (let count = 1; count <= maximum; count += 1) {
    const result = await attempt();
    if (result === 'must_serialize') return undefined;
    if (result !== 'overtaken') return result;
  }
  return undefined;
}
