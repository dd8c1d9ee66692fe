// Requests to servers that the operator named: those beyond the places of a server wait instead of failing.

import { outboundLimits } from './limits.ts';
import type { Outbound } from './outbound.ts';

/** Requests that wait for one server. Further ones are refused as `busy`. */
const maximumWaiting = 512;

/** Returns the same function, which sends to each server as many requests at a time as there are places. */
export function waitingSend(
  send: Outbound['send'],
  places: number = outboundLimits.requestsPerHost,
): Outbound['send'] {
  const servers = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>();
  return async (request) => {
    const name = URL.parse(request.url)?.host ?? '';
    const server = servers.getOrInsertComputed(name, () => ({ underWay: 0, waiting: [] }));
    if (server.waiting.length >= maximumWaiting) {
      return { failure: 'busy', detail: 'too many requests wait' };
    }
    if (server.underWay < places) server.underWay += 1;
    // A request that ends passes its place on.
    else await new Promise<void>((resolve) => server.waiting.push(resolve));
    try {
      return await send(request);
    } finally {
      const next = server.waiting.shift();
      if (next !== undefined) next();
      else server.underWay -= 1;
      if (server.underWay === 0) servers.delete(name);
    }
  };
}
