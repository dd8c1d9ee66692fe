// Token buckets by name: a number of tokens a second, and one second's worth at the start.

import { createRecentCache } from '../../core/base/lru_cache.ts';

/** Number of stored buckets; beyond it, the longest unused bucket is full again. */
export const maximumBuckets = 10_000;

/** The content of a bucket: whole tokens. */
export type Budget = { readonly limit: number; readonly remaining: number };

export type Bucket = Budget & {
  /** Milliseconds until a token is available; 0 if one is. */
  readonly waitMs: number;
};

export type Buckets = {
  look(name: string): Bucket;
  /** Takes a token, even from an empty bucket. The debt delays later requests. */
  take(name: string): Bucket;
  /** Returns true if some bucket may be empty. */
  isAnyEmpty(): boolean;
};

/**
 * Creates buckets of `limit` tokens a second, at least 1, with a debt of at most `owedMaximum` tokens.
 * `clock` is monotonic, in milliseconds.
 */
export function createBuckets(
  limit: number,
  clock: () => number,
  owedMaximum = Number.POSITIVE_INFINITY,
): Buckets {
  const kept = createRecentCache<{ readonly tokens: number; readonly atMs: number }>(
    maximumBuckets,
  );
  const tokensOf = (name: string, nowMs: number): number => {
    const { tokens, atMs } = kept.get(name) ?? { tokens: limit, atMs: nowMs };
    return Math.min(limit, tokens + ((nowMs - atMs) * limit) / 1000);
  };
  const bucketOf = (tokens: number): Bucket => ({
    limit,
    remaining: Math.max(0, Math.floor(tokens)),
    waitMs: Math.max(0, ((1 - tokens) * 1000) / limit),
  });
  let emptyUntilMs = 0;
  return {
    isAnyEmpty: () => clock() < emptyUntilMs,
    look: (name) => bucketOf(tokensOf(name, clock())),
    take: (name) => {
      const atMs = clock();
      const tokens = Math.max(-owedMaximum, tokensOf(name, atMs) - 1);
      kept.set(name, { tokens, atMs });
      const bucket = bucketOf(tokens);
      emptyUntilMs = Math.max(emptyUntilMs, bucket.waitMs === 0 ? 0 : atMs + bucket.waitMs);
      return bucket;
    },
  };
}
