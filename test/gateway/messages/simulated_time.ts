import type { After } from '../../../src/gateway/messages/sending_queue.ts';

/** Creates a stopped clock that tests advance. */
export function createSimulatedTime() {
  type Timer = { readonly atMs: number; readonly run: () => void };
  const timers = new Set<Timer>();
  let now = Date.UTC(2026, 0, 1);
  const after: After = (delayMs, run) => {
    const timer = { atMs: now + delayMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    after,
    clock: () => now,
    /** Returns the time until each timer, soonest first. */
    pending: () => [...timers].map(({ atMs }) => atMs - now).toSorted((a, b) => a - b),
    /** Advances the clock and runs due timers in order. */
    advance: (ms: number) => {
      const end = now + ms;
      for (;;) {
        const due = [...timers]
          .filter(({ atMs }) => atMs <= end)
          .toSorted((a, b) => a.atMs - b.atMs)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = due.atMs;
        due.run();
      }
      now = end;
    },
  };
}
