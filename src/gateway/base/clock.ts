// Time that never goes back, and timers; tests replace it.

export type Clock = {
  /** Milliseconds since any moment. */
  readonly now: () => number;
  /** Runs a function once, later; returns what calls that off. */
  readonly after: (delayMs: number, run: () => void) => () => void;
};

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
