// How long a request uses the threads that serve all of them. A request that waits for others, such as a
// slow issuer of tokens, uses none meanwhile, and so does not make the service seem slow.

/** Returns how long a thread was in use so far, in milliseconds. A value below the last begins anew. */
export type ThreadUse = () => number;

export type UsePace = {
  finished(): void;
  /** Returns the average use of the thread that each request uses most, in milliseconds. */
  msEach(): number;
};

/** How much one more request changes the average: about the last hundred count. */
const weight = 1 / 64;
/** Between two looks at the use: a look costs more than the request that it would be made for. */
export const lookEveryMs = 5;

/** Creates an estimate from the use between two looks; what counts for one request is at most `mostMs`. */
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
