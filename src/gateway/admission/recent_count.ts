// Counts recent events: the weight of an event halves each second.

const halfLifeMs = 1_000;

export type RecentCount = {
  add(): void;
  /** Returns the current count. */
  recent(): number;
};

/** Creates a count of zero. `clock` is monotonic, in milliseconds. */
export function createRecentCount(clock: () => number): RecentCount {
  let count = 0;
  let countedAtMs = clock();
  const recent = (): number => {
    const nowMs = clock();
    count *= 2 ** ((countedAtMs - nowMs) / halfLifeMs);
    countedAtMs = nowMs;
    return count;
  };
  return {
    add: () => {
      count = recent() + 1;
    },
    recent,
  };
}
