// Queries that the service holds until there is news (RFC 7240, `Prefer: wait`).

import type { SentRequest } from './errors.ts';
import type { World } from './transport.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** The same request, to be held for as long as the service holds any. */
export const held = (sent: SentRequest): SentRequest => ({
  ...sent,
  headers: { ...sent.headers, prefer: 'wait=25' },
});

/** Pauses between answers without news: short while the service holds them, else growing. */
export function pausesOf({ pause }: Pick<World, 'pause'>, signal: AbortSignal | undefined) {
  let ms = firstPauseMs;
  return {
    next: (isHeld: boolean): Promise<void> => {
      ms = isHeld ? firstPauseMs : Math.min(ms * 1.5, longestPauseMs);
      return pause(ms, signal);
    },
  };
}
