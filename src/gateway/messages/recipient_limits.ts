// Limits the messages of one account to one recipient. Codes have stricter limits of their own; this limit
// applies to mailed keys, which the root of any organization can request.

import { createRecentCache } from '../../core/base/lru_cache.ts';

export const recipientLimits = {
  messages: 30,
  windowMs: 3 * 60_000,
  /** Maximum remembered pairs of account and recipient. */
  remembered: 10_000,
} as const;

type RecipientLimits = {
  /** Counts a message; returns false if the account has reached its limit for this recipient. */
  admit(message: { readonly account: string; readonly to: string }): boolean;
};

/** `now` is a monotonic clock, in milliseconds. */
export function createRecipientLimits(now: () => number): RecipientLimits {
  const { messages, windowMs, remembered } = recipientLimits;
  const counts = createRecentCache<{ readonly count: number; readonly sinceMs: number }>(
    remembered,
  );
  return {
    admit: ({ account, to }) => {
      const pair = `${account} ${to.toLowerCase()}`;
      const known = counts.get(pair);
      const isOver = known === undefined || now() - known.sinceMs >= windowMs;
      const { count, sinceMs } = isOver ? { count: 0, sinceMs: now() } : known;
      if (count >= messages) return false;
      counts.set(pair, { count: count + 1, sinceMs });
      return true;
    },
  };
}
