// Reads deliveries to a webhook endpoint, and their events.

import type { Delivery } from '../../core/webhooks/delivery_view.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredDelivery, StorePort } from '../../store/port.ts';
import { createEventReader } from './event_reader.ts';
import { createPortion, type Reading } from './portions.ts';
import { maximumLookupRows } from './reader_limits.ts';
import type { RecordCodec } from './record_codec.ts';
import type { Voters } from './voters.ts';

/** Creates the reader of the deliveries of one organization. */
export function createDeliveryReaders(ports: {
  readonly store: Pick<StorePort, 'deliveryPage' | 'activity' | 'records'>;
  readonly codec: RecordCodec;
  readonly voters: Pick<Voters, 'complete'>;
  readonly reading: Reading;
}): (organizationId: string) => Pick<Reader, 'webhookDeliveries'> {
  const events = createEventReader(ports);
  return (organizationId) => ({
    webhookDeliveries: async (endpointId, selection) => {
      const isPage = 'after' in selection;
      const limit = isPage ? selection.limit : maximumLookupRows;
      const after = isPage ? selection.after : 0;
      const eventIds = isPage ? [] : selection.eventIds;
      const page = await ports.store.deliveryPage({ endpointId, after, limit, eventIds });
      const inOrder = ascending(page.deliveries.slice(0, limit), after);
      const opened = inOrder.map((stored) =>
        events.open({ ...stored, endpointId, organizationId }),
      );
      const withBodies = isPage && selection.withBodies === true;
      const bodies = withBodies ? opened.map(events.beginBody) : [];
      const portion = createPortion(organizationId, ports.reading);
      const deliveries: Delivery[] = [];
      const answer = (isCut: boolean) => ({ lastSequence: page.lastSequence, deliveries, isCut });
      for (const [i, event] of opened.entries()) {
        const stored = inOrder[i];
        if (stored === undefined) break;
        const body = await bodies[i]?.();
        if (!portion.fits(body?.length ?? 0)) return answer(true);
        deliveries.push({
          ...stored,
          eventType: event.type,
          organizationId: event.organizationId,
          activityId: event.activity?.id,
          attempts: page.attempts.filter(({ sequence }) => sequence === stored.sequence),
          body,
        });
        if (body !== undefined) await portion.add(body.length);
      }
      return answer(false);
    },
  });
}

/** Omits rows that are not in ascending order. */
function ascending(
  deliveries: readonly StoredDelivery[],
  after: number,
): readonly StoredDelivery[] {
  let previous = after;
  return deliveries.filter(({ sequence }) => {
    const isNext = sequence > previous;
    if (isNext) previous = sequence;
    return isNext;
  });
}
