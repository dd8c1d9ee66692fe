// Events of an endpoint as they come, held by the service until there is one.

import type { Client } from '../client/connect.ts';
import { Unreachable } from '../client/errors.ts';
import { held } from '../client/holding.ts';
import type { Queries } from '../client/operations.ts';
import { errorOf } from '../client/outcome.ts';
import { send } from '../client/transport.ts';

type Page = Queries['list_webhook_deliveries']['result'];
export type Delivery = Page['deliveries'][number];

const pauseAfterFailureMs = 1_000;

/**
 * Every delivery after a number, in order, until the signal aborts. A service that does not answer is asked
 * again; what it kept meanwhile comes then. Raises what the client raises for refusals.
 */
export async function* deliveriesAfter(
  client: Client,
  endpointId: string,
  first: string,
  signal: AbortSignal,
): AsyncGenerator<Delivery, void> {
  let afterSequence = first;
  while (!signal.aborted) {
    const sent = await client.stamped('query', 'list_webhook_deliveries', {
      endpointId,
      afterSequence,
      limit: '100',
      withBodies: true,
      withHeaders: true,
    });
    const answer = await send(held(sent), world, signal).catch(async (error: unknown) => {
      if (signal.aborted) return undefined;
      if (!(error instanceof Unreachable)) throw error;
      await pause(pauseAfterFailureMs, signal);
      return undefined;
    });
    if (answer === undefined) continue;
    if (answer.status !== 200) throw errorOf(answer);
    const page = answer.body as unknown as Page;
    for (const delivery of page.deliveries) {
      yield delivery;
      afterSequence = delivery.sequence;
    }
  }
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

const world = { fetch, now: () => 0, pause };
