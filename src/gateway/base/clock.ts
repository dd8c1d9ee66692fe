// A monotonic clock with timers, which tests replace.

export type Clock = {
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  /** Runs a function once after a delay. Returns a function that cancels it. */
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
