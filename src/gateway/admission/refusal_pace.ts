// Bounds the time that refusals take. A sender who ignores `Retry-After` and asks again at once would
// have the gateway refuse instead of serve: at ten times the load that took more than half of a core. So
// a source gets some thousand refusals a second. Beyond them the gateway reads the next request of a
// refused connection later, and by then the sender was asked to wait in any case.

import type { IncomingMessage } from 'node:http';
import { createBuckets } from './buckets.ts';

/** Refusals a second after which the connections of a source rest: a twentieth of a core. */
export const restlessRefusals = 2_000;
/** The longest rest: the shortest time that `Retry-After` names. */
export const longestRestMs = 1_000;

export type RefusalPace = {
  /**
   * Counts a request of a source that was refused for having too much to do. Where the source had too
   * many of them, its connection is read again after a rest.
   */
  refused(source: string, request: IncomingMessage): void;
};

/**
 * Creates the pace of one server. `clock` never goes back: milliseconds. Connections of trusted proxies
 * carry requests of many sources, and never rest.
 */
export function createRefusalPace(
  { trustedProxies }: { readonly trustedProxies: number },
  clock: () => number,
): RefusalPace {
  const buckets = createBuckets(restlessRefusals, clock, restlessRefusals);
  return {
    refused: (source, request) => {
      if (trustedProxies > 0) return;
      const restMs = Math.min(longestRestMs, buckets.take(source).waitMs);
      if (restMs > 0) restAfter(request, restMs);
    },
  };
}

/** Returns true for the answers that ask a sender to come back later. */
export function asksToWait(status: number | undefined): boolean {
  return status === 429 || status === 503;
}

/** Does not read from the connection of a request for a time, once the whole request was read. */
function restAfter(request: IncomingMessage, restMs: number): void {
  if (!request.readableEnded) {
    request.once('end', () => rest(request, restMs));
    return;
  }
  rest(request, restMs);
}

function rest({ socket }: IncomingMessage, restMs: number): void {
  if (socket.destroyed) return;
  socket.pause();
  setTimeout(() => socket.resume(), restMs).unref();
}
