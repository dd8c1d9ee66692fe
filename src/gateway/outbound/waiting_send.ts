// Queues requests to servers that the operator named: a request waits for a free place instead of failing.

import { outboundLimits } from './limits.ts';
import type { Outbound } from './outbound.ts';

/** Maximum number of waiting requests to one server. Further requests fail as `busy`. */
const maximumWaiting = 512;

/** Receives the number of waiting requests when it changes, and each request that is refused as `busy`. */
export type WaitWatch = {
  readonly waiting: (count: number) => void;
  readonly refused: () => void;
};

/** Returns the same function, which sends to each server as many requests at a time as it has places. */
export function waitingSend(send: Outbound['send'], watch: WaitWatch): Outbound['send'] {
  const places = outboundLimits.requestsPerHost;
  let waiting = 0;
  const changeWaiting = (by: 1 | -1) => {
    waiting += by;
    watch.waiting(waiting);
  };
  const servers = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>();
  return async (request) => {
    const name = URL.parse(request.url)?.host ?? '';
    const server = servers.getOrInsertComputed(name, () => ({ underWay: 0, waiting: [] }));
    if (server.waiting.length >= maximumWaiting) {
      watch.refused();
      return { failure: 'busy', detail: 'too many requests wait' };
    }
    if (server.underWay < places) server.underWay += 1;
    // A request that ends passes its place on.
    else {
      changeWaiting(1);
      await new Promise<void>((resolve) => server.waiting.push(resolve));
      changeWaiting(-1);
    }
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
