import type { Clock } from '../../src/gateway/base/clock.ts';

/** A clock that stands still until it is moved on. */
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
    /** Timers that have not run. */
    pending: () => timers.length,
    /** Moves the clock on from timer to timer; what each begins goes on until nothing moves. */
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

/** Lets all promises that can go on do so. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
