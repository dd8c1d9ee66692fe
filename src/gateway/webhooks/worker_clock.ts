// The clock and timers of the worker.

/** Milliseconds since 1970, and a timer; replaced by tests. */
export type WorkerClock = {
  readonly now: () => number;
  /** Runs a function once, later; gives what calls that off. */
  readonly after: (delayMs: number, run: () => void) => () => void;
};
