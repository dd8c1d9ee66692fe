// The clock and timers of the worker.

/** Milliseconds since 1970, and a timer. Tests replace it. */
export type WorkerClock = {
  readonly now: () => number;
  /** Runs a function once after a delay. Returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
};
