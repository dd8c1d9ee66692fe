// Queues requests to servers that the operator named: a request waits for a free place instead of failing.

import { outboundLimits } from './limits.ts';
import type { Outbound } from './outbound.ts';

/** Maximum number of waiting requests to one server. Further requests fail as `busy`. */
const maximumWaiting = 512;

/** Returns `send` with at most `places` concurrent requests to each server. */
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
    // A finished request passes its place to the next one.
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
