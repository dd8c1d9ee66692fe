// Returns the memory of the start to the operating system.

import { threadActiveMs } from './vitals.ts';

type Ports = {
  /** Collects all garbage and returns free pages. Blocks the thread for a tenth of a second or more. */
  readonly collect: () => void;
  /** Returns how long the thread has been active so far, in milliseconds. */
  readonly activeMs?: () => number;
  /** Calls back once after this number of milliseconds. Does not keep the process alive. */
  readonly after?: (ms: number, callback: () => void) => void;
};

/** Longer than a start on slow machines. */
const startMs = 5_000;
const idleMs = 1_000;
/** The timers of an idle process take less time, even on a busy machine. */
const maximumActiveMs = 20;

/**
 * Collects once, after the first second since the start in which the thread is idle. A process under constant
 * load is not interrupted.
 */
export function returnMemoryOnceIdle({
  collect,
  activeMs = threadActiveMs,
  after = (ms, callback) => void setTimeout(callback, ms).unref(),
}: Ports): void {
  const watch = (): void => {
    const before = activeMs();
    after(idleMs, () => {
      if (activeMs() - before > maximumActiveMs) watch();
      else collect();
    });
  };
  after(startMs - idleMs, watch);
}
