// Measures how long a request uses the shared threads. A request that waits for an external server, such as a
// slow token issuer, does not use them. So it does not make the service seem slow.

/**
 * Returns how long a thread has been busy so far, in milliseconds. A smaller value than the last restarts the
 * count.
 */
export type ThreadUse = () => number;

type UsePace = {
  finished(): void;
  /** Returns the milliseconds that a request uses on average on its busiest thread. */
  msEach(): number;
};

/** The weight of one more request in the average, which covers about the last hundred. */
const weight = 1 / 64;
/** The interval between two readings of thread use, because one reading costs more than the request. */
export const lookEveryMs = 5;

/** Creates an estimate from the use between two readings. One request counts for at most `mostMs`. */
export function createPace(
  clock: () => number,
  uses: readonly ThreadUse[],
  mostMs: number,
): UsePace {
  const threads = uses.map((use) => ({ use, usedMs: use(), averageMs: 0 }));
  let lookedAtMs = clock();
  let requests = 0;
  let slowestMs = 0;

  function look(): void {
    const share = Math.min(1, requests * weight);
    slowestMs = 0;
    for (const thread of threads) {
      const usedMs = thread.use();
      const sinceMs = Math.max(0, usedMs - thread.usedMs);
      thread.usedMs = usedMs;
      thread.averageMs += (Math.min(sinceMs / requests, mostMs) - thread.averageMs) * share;
      slowestMs = Math.max(slowestMs, thread.averageMs);
    }
    requests = 0;
  }

  return {
    finished: () => {
      requests += 1;
      const nowMs = clock();
      if (nowMs - lookedAtMs < lookEveryMs) return;
      lookedAtMs = nowMs;
      look();
    },
    msEach: () => slowestMs,
  };
}
