// Queues requests to the operator's servers: a request waits for a free place instead of failing.

import { createPlaces } from '../../core/base/places.ts';
import { outboundLimits } from './limits.ts';
import type { Outbound } from './outbound.ts';

/** Maximum number of waiting requests to one server. Further requests fail as `busy`. */
const maximumWaiting = 512;

/** Receives the number of waiting requests after each change, and each request that is rejected as `busy`. */
export type WaitWatch = {
  readonly waiting: (count: number) => void;
  readonly refused: () => void;
};

/** Returns a `send` with a maximum number of concurrent requests to each server. */
export function waitingSend(send: Outbound['send'], watch: WaitWatch): Outbound['send'] {
  const places = createPlaces(outboundLimits.requestsPerHost);
  let waiting = 0;
  const changeWaiting = (by: 1 | -1) => {
    waiting += by;
    watch.waiting(waiting);
  };
  return async (request) => {
    const server = URL.parse(request.url)?.host ?? '';
    if (places.waiting(server) >= maximumWaiting) {
      watch.refused();
      return { failure: 'busy', detail: 'too many requests wait' };
    }
    return places.run(server, () => send(request), changeWaiting);
  };
}
