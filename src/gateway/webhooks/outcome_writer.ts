// Stores the outcomes of attempts and the ends of turns. Those of a few milliseconds, over any number of
// endpoints, become durable together.

import { assert } from '../../core/errors/errors.ts';
import type { DeliveryOutcome, Outbox } from '../../store/reads/outbox.ts';
import type { WorkerClock } from './worker_clock.ts';

export type OutcomeWriter = {
  /** Stores an outcome soon. Returns false if another node has taken the lease. */
  record(outcome: DeliveryOutcome): Promise<boolean>;
  /** Ends a lease once the earlier outcomes are stored. */
  release(endpointId: string): Promise<undefined>;
  /** Stores all waiting outcomes now. */
  flush(): void;
};

/** Maximum time that an outcome waits for others. */
const gatherMs = 5;
const maximumTogether = 128;

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item };

/**
 * Creates a writer that stores outcomes in order, one transaction after the other. `forgetAfterMs` is the age
 * at which the worker deletes events of an idle endpoint.
 */
export function createOutcomeWriter(
  outbox: Pick<Outbox, 'record' | 'release'>,
  owner: string,
  clock: WorkerClock,
  forgetAfterMs: number,
): OutcomeWriter {
  const outcomes: Waiting<DeliveryOutcome, boolean>[] = [];
  const ends: Waiting<string, undefined>[] = [];
  let isWriting = false;
  let cancelTimer: (() => void) | undefined;

  function wait<Item, Result>(list: Waiting<Item, Result>[], item: Item): Promise<Result> {
    const each = { ...Promise.withResolvers<Result>(), item };
    list.push(each);
    if (list.length >= maximumTogether) flush();
    return each.promise;
  }

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!isWriting) void write();
  }

  async function write(): Promise<void> {
    isWriting = true;
    while (outcomes.length > 0 || ends.length > 0) {
      const ended = ends.splice(0, maximumTogether);
      while (outcomes.length > 0)
        await together(outcomes.splice(0, maximumTogether), outbox.record);
      if (ended.length > 0) await together(ended, end);
    }
    isWriting = false;
  }

  async function end(endpointIds: readonly string[]): Promise<readonly undefined[]> {
    await outbox.release({ owner, endpointIds, now: clock.now(), forgetAfterMs });
    return endpointIds.map(() => undefined);
  }

  return {
    record: (outcome) => {
      if (!isWriting) cancelTimer ??= clock.after(gatherMs, flush);
      return wait(outcomes, outcome);
    },
    release: (endpointId) => {
      // Leases that end in the same turn of the event loop share the transaction.
      if (!isWriting && ends.length === 0) setImmediate(flush);
      return wait(ends, endpointId);
    },
    flush,
  };
}

async function together<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  keep: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await keep(group.map(({ item }) => item));
    assert(results.length === group.length, 'each of a group has a result');
    for (const [i, result] of results.entries()) group[i]?.resolve(result);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
