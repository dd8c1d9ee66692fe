// How often a request is decided, and beside or after which others of its organization.

import type { StageName } from '../core/base/stages.ts';
import { fail } from '../core/errors/errors.ts';
import { createKeyedQueue } from './keyed_queue.ts';

/** A decision whose organization changed under it is made again at most this often. */
export const maximumAttempts = 20;

/**
 * The attempts of a request beside the changes of its organization. After so many losses it
 * queues with them.
 */
const optimisticAttempts = 3;

/** A request in the queue that needs an answer of others leaves it so often to ask for it. */
const maximumAskings = 5;

/** Beside the changes of the organization, or in the queue of its changes. */
export type Mode = 'optimistic' | 'serialized';

/**
 * `overtaken`: another change was committed first. `must_serialize`: the request changes its
 * organization, which only requests of the queue may. `AsksFirst`: it needs an answer of others, whom no
 * request of the queue waits for.
 */
export type Attempted<Result> = Result | 'overtaken' | 'must_serialize' | AsksFirst;

export type AsksFirst = { readonly asksFirst: () => Promise<void> };

export type Concurrency = <Result extends object>(
  request: {
    readonly organizationId: string;
    readonly startsOptimistic: boolean;
    readonly checkNotCancelled: (() => void) | undefined;
    /** Told when the request begins to queue. */
    readonly enter?: ((stage: StageName) => void) | undefined;
  },
  attempt: (mode: Mode) => Promise<Attempted<Result>>,
) => Promise<Result>;

/**
 * Creates the function that attempts a request until it is not overtaken: at first beside others if it
 * may, then in the queue of its organization. Raises `organization_busy` after the last attempt.
 */
export function createConcurrency(): Concurrency {
  const enqueue = createKeyedQueue();
  return async ({ organizationId, startsOptimistic, checkNotCancelled, enter }, attempt) => {
    if (startsOptimistic) {
      const result = await repeat(optimisticAttempts, () => attempt('optimistic'));
      if (result !== undefined && !isAsking(result)) return result;
    }
    for (let asked = 0; asked <= maximumAskings; asked += 1) {
      enter?.('queue');
      const result = await enqueue(organizationId, async () => {
        // An optimistic request has begun, and may have used up a code of a provider.
        if (!startsOptimistic) checkNotCancelled?.();
        return repeat(maximumAttempts, () => attempt('serialized'));
      });
      if (result === undefined) break;
      if (!isAsking(result)) return result;
      await result.asksFirst();
    }
    return fail('organization_busy', { attempts: maximumAttempts });
  };
}

function isAsking(result: object): result is AsksFirst {
  return 'asksFirst' in result;
}

async function repeat<Result extends object>(
  maximum: number,
  attempt: () => Promise<Attempted<Result>>,
): Promise<Result | AsksFirst | undefined> {
  for (let count = 1; count <= maximum; count += 1) {
    const result = await attempt();
    if (result === 'must_serialize') return undefined;
    if (result !== 'overtaken') return result;
  }
  return undefined;
}
