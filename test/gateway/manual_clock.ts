import type { Clock } from '../../src/gateway/base/clock.ts';

/** Creates a stopped clock that tests advance. */
export function manualClock() {
  let nowMs = 0;
  let timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  const clock: Clock = {
    now: () => nowMs,
    after: (delayMs, run) => {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  return {
    clock,
    /** Returns the number of timers that have not run. */
    pending: () => timers.length,
    /** Advances the clock from timer to timer, and lets all consequences of each finish. */
    async advance(ms: number): Promise<void> {
      const untilMs = nowMs + ms;
      for (;;) {
        await settled();
        const [next] = timers.toSorted((a, b) => a.dueMs - b.dueMs);
        if (next === undefined || next.dueMs > untilMs) break;
        timers = timers.filter((each) => each !== next);
        nowMs = next.dueMs;
        next.run();
      }
      nowMs = untilMs;
      await settled();
    },
  };
}

/** Waits until all pending promises have settled. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
