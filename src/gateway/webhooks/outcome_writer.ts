// What came of attempts, and ends of turns, on their way into the database: those of a few
// milliseconds, of however many endpoints, become durable together.

import { assert } from '../../core/errors/errors.ts';
import type { DeliveryOutcome, Outbox } from '../../store/outbox.ts';
import type { WorkerClock } from './worker.ts';

export type OutcomeWriter = {
  /** Keeps an outcome soon; false where the lease is another's by now. */
  settle(settlement: DeliveryOutcome): Promise<boolean>;
  /** Ends a lease at once, when the outcomes given before are kept. */
  release(endpointId: string): Promise<undefined>;
  /** Keeps at once what waits. */
  flush(): void;
};

/** So long outcomes wait for others. */
const gatherMs = 5;
const maximumTogether = 128;

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item };

/**
 * Outcomes are kept in the order in which they were given, one transaction after the other.
 * `forgetAfterMs` is the age at which events are forgotten of an endpoint to which nothing goes.
 */
export function createOutcomeWriter(
  outbox: Pick<Outbox, 'settle' | 'release'>,
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
        await together(outcomes.splice(0, maximumTogether), outbox.settle);
      if (ended.length > 0) await together(ended, end);
    }
    isWriting = false;
  }

  async function end(endpointIds: readonly string[]): Promise<readonly undefined[]> {
    await outbox.release({ owner, endpointIds, now: clock.now(), forgetAfterMs });
    return endpointIds.map(() => undefined);
  }

  return {
    settle: (settlement) => {
      if (!isWriting) cancelTimer ??= clock.after(gatherMs, flush);
      return wait(outcomes, settlement);
    },
    release: (endpointId) => {
      // Whatever else ends in this turn of the event loop joins it.
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
