// Reads the events of an endpoint: new ones by long polling, and past ones.

import { setTimeout as timer } from 'node:timers/promises';
import type { Client } from '../../client/connect.ts';
import { Unreachable } from '../../client/errors.ts';
import type { Queries } from '../../client/generated/operations.ts';
import { held } from '../../client/holding.ts';
import { errorOf } from '../../client/outcome.ts';
import { send } from '../../client/transport.ts';
import { boundedFetch } from '../service/bounded_fetch.ts';
import { Failure } from '../words/failures.ts';
import { type EventRange, maximumRange } from './event_ranges.ts';

type Page = Queries['list_webhook_deliveries']['result'];
export type Delivery = Page['deliveries'][number];

const pauseAfterFailureMs = 1_000;

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  timer(ms, undefined, signal === undefined ? {} : { signal });

/**
 * Yields every delivery after a sequence number, in order, until the signal aborts. Retries while the service
 * is unavailable. Throws other errors of the client.
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
      // The abort ends the loop.
      return pause(pauseAfterFailureMs, signal).catch(() => undefined);
    });
    if (answer === undefined) continue;
    if (answer.status !== 200) throw errorOf(answer);
    const page = answer.body as unknown as Page;
    for (const delivery of page.deliveries) {
      if (!isAfter(delivery.sequence, afterSequence)) throw outOfOrder();
      if (signal.aborted) return;
      yield delivery;
      afterSequence = delivery.sequence;
    }
    // Pause if the service answers at once without deliveries.
    if (page.deliveries.length === 0 && !answer.isHeld) {
      await pause(pauseAfterFailureMs, signal).catch(() => undefined);
    }
  }
}

/**
 * Yields the stored deliveries of a range, in order. An open range ends at the newest delivery of the first
 * answer. Throws the errors of the client.
 */
export async function* pastDeliveries(
  client: Client,
  endpointId: string,
  { first, last }: EventRange,
  signal: AbortSignal,
): AsyncGenerator<Delivery, void> {
  let afterSequence = String(first - 1);
  let end = last;
  while (!signal.aborted) {
    const page = await client.query(
      'list_webhook_deliveries',
      { endpointId, afterSequence, limit: '100', withBodies: true, withHeaders: true },
      { signal },
    );
    end ??= Math.min(Number(page.lastSequence), first + maximumRange - 1);
    for (const delivery of page.deliveries) {
      if (!isAfter(delivery.sequence, afterSequence)) throw outOfOrder();
      if (Number(delivery.sequence) > end) return;
      if (signal.aborted) return;
      yield delivery;
      afterSequence = delivery.sequence;
    }
    if (page.deliveries.length === 0 || Number(afterSequence) >= end) return;
  }
}

const isAfter = (sequence: string, other: string): boolean =>
  /^\d{1,20}$/.test(sequence) && BigInt(sequence) > BigInt(other);

const outOfOrder = (): Failure =>
  new Failure({
    exit: 'not_verified',
    code: 'deliveries_out_of_order',
    message: 'The service repeats deliveries, or returns them out of order.',
  });

const world = { fetch: boundedFetch, now: () => 0, pause };
