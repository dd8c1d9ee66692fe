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
    // On a busy machine the moment may have passed. Node warns about a negative delay.
    const timer = setTimeout(run, Math.max(0, delayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
