// Long polling: the service holds a query until there is news (RFC 7240, `Prefer: wait`).

import type { SentRequest } from './errors.ts';
import type { World } from './transport.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** Returns the same request with the header that asks the service to hold it. */
export const held = (sent: SentRequest): SentRequest => ({
  ...sent,
  headers: { ...sent.headers, prefer: 'wait=25' },
});

/** Pauses between answers without news. Short if the service holds queries, else growing. */
export function pausesOf({ pause }: Pick<World, 'pause'>, signal: AbortSignal | undefined) {
  let ms = firstPauseMs;
  return {
    next: (isHeld: boolean): Promise<void> => {
      ms = isHeld ? firstPauseMs : Math.min(ms * 1.5, longestPauseMs);
      return pause(ms, signal);
    },
  };
}
