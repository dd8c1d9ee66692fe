// Bounds the processor time of refusals. Otherwise a sender that ignores `Retry-After` could make the gateway
// spend its time on refusals: at ten times the load they took more than half of a core. Each source gets
// about two thousand refusals a second. Beyond them the gateway delays the next read from a refused
// connection, whose sender was asked to wait anyway.

import type { IncomingMessage } from 'node:http';
import { createBuckets } from './buckets.ts';

/** Refusals a second above which the connections of a source are paused: a twentieth of a core. */
export const restlessRefusals = 2_000;
/** Maximum pause: the shortest time in `Retry-After`. */
export const longestRestMs = 1_000;

export type RefusalPace = {
  /**
   * Counts a request that was rejected because of load. Pauses its connection if the source has too many of
   * them.
   */
  refused(source: string, request: IncomingMessage): void;
};

/**
 * Creates the pace of one server. `clock` is monotonic, in milliseconds. Connections of trusted proxies carry
 * requests of many sources, and are never paused.
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

/** Returns true for answers that ask the client to retry later. */
export function asksToWait(status: number | undefined): boolean {
  return status === 429 || status === 503;
}

/** Pauses the connection of a request, once the whole request was read. */
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
