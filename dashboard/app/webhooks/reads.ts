import { useEffect } from 'preact/hooks';
import type { Queries } from '../../../src/client/generated/operations.ts';
import { msOf } from '../service/activity_text.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useQuery } from '../service/reads.ts';
import { useSession } from '../session/context.ts';

export type Endpoint = Queries['list_webhook_endpoints']['result']['webhookEndpoints'][number];
export type Delivery = Queries['list_webhook_deliveries']['result']['deliveries'][number];

export function useEndpoints(): Read<readonly Endpoint[]> {
  return useQuery(['webhook endpoints'], 'list_webhook_endpoints', ({ webhookEndpoints }) =>
    webhookEndpoints.toReversed(),
  );
}

const maximumRows = 100;

/** Reads the newest deliveries of an endpoint, newest first. */
export function useDeliveries(endpointId: string, count: number) {
  const { client } = useSession();
  const read = useRead(
    ['deliveries', endpointId, count],
    async (signal) => {
      const ask = (afterSequence: number, limit: number) =>
        client.query('list_webhook_deliveries', { endpointId, afterSequence, limit }, { signal });
      const { lastSequence } = await ask(0, 1);
      const last = Number(lastSequence);
      const rows: Delivery[] = [];
      const first = Math.max(0, last - count);
      for (let after = first; after < last; after += maximumRows) {
        rows.push(...(await ask(after, Math.min(maximumRows, last - after))).deliveries);
      }
      return { rows: rows.toReversed(), last, hasMore: first > 0 };
    },
    { keepsPrevious: true },
  );
  useAgainWhile(read.data?.rows.some(isUnderWay) === true, read);
  return read;
}

/** Maximum endpoints that the overview reads. */
const maximumWatched = 10;

/** Reads the names of active endpoints whose last attempted delivery failed or waits for a retry. */
export function useFailingEndpoints(): Read<readonly string[]> {
  const { client } = useSession();
  return useRead(['failing endpoints'], async (signal) => {
    const { webhookEndpoints } = await client.query('list_webhook_endpoints', {}, { signal });
    const watched = webhookEndpoints.filter(({ isActive, url }) => isActive && url !== '');
    const names = await Promise.all(
      watched.slice(-maximumWatched).map(async ({ endpointId, name }) => {
        const ask = (afterSequence: number, limit: number) =>
          client.query('list_webhook_deliveries', { endpointId, afterSequence, limit }, { signal });
        const { lastSequence } = await ask(0, 1);
        const after = Math.max(0, Number(lastSequence) - maximumRows);
        const { deliveries } = await ask(after, maximumRows);
        // Later events wait behind a failing delivery.
        const tried = deliveries.findLast(({ attempts }) => attempts.length > 0);
        return tried !== undefined && hasFailed(tried) ? [name] : [];
      }),
    );
    return names.flat();
  });
}

const hasFailed = ({ state, attempts }: Delivery): boolean =>
  state === 'failed' || (state === 'waiting' && attempts.length > 0);

/** Reads one delivery with its body and headers. */
export function useDelivery(endpointId: string, sequence: number) {
  const read = useQuery(
    ['delivery', endpointId, sequence],
    'list_webhook_deliveries',
    ({ deliveries }) => ({
      delivery: deliveries.find((each) => Number(each.sequence) === sequence),
    }),
    { endpointId, afterSequence: sequence - 1, limit: 1, withBodies: true, withHeaders: true },
  );
  const { delivery } = read.data ?? {};
  useAgainWhile(delivery !== undefined && isUnderWay(delivery), read);
  return read;
}

const pauseMs = 1_000;

/** Deliveries with a longer wait until the next attempt are not polled. */
const soonMs = 15_000;

function isUnderWay({ state, nextAttemptAt }: Delivery): boolean {
  if (state !== 'waiting') return false;
  return nextAttemptAt === undefined || msOf(nextAttemptAt) < Date.now() + soonMs;
}

/** Polls while a delivery is in progress, because no activity reports its end. */
function useAgainWhile(isNeeded: boolean, read: Read<unknown>): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => void read.refetch(), pauseMs);
    return () => clearInterval(timer);
  }, [isNeeded]);
}
