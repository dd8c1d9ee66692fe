// Deliveries to a webhook endpoint, with the events that they deliver.

import type { Reader } from '../../operations/reader.ts';
import type { StorePort } from '../../store/port.ts';
import { createEventReader } from './event_reader.ts';
import { maximumLookupRows } from './reader_limits.ts';
import type { RecordCodec } from './record_codec.ts';
import type { Voters } from './voters.ts';

/** Creates the reader of the deliveries of one organization. */
export function createDeliveryReaders(ports: {
  readonly store: Pick<StorePort, 'deliveryPage' | 'activity' | 'records'>;
  readonly codec: RecordCodec;
  readonly voters: Pick<Voters, 'complete'>;
}): (organizationId: string) => Pick<Reader, 'webhookDeliveries'> {
  const events = createEventReader(ports);
  return (organizationId) => ({
    webhookDeliveries: async (endpointId, selection) => {
      const isPage = 'after' in selection;
      const limit = isPage ? selection.limit : maximumLookupRows;
      const after = isPage ? selection.after : 0;
      const eventIds = isPage ? [] : selection.eventIds;
      const page = await ports.store.deliveryPage({ endpointId, after, limit, eventIds });
      let previous = after;
      const inOrder = page.deliveries.slice(0, limit).filter(({ sequence }) => {
        const isNext = sequence > previous;
        if (isNext) previous = sequence;
        return isNext;
      });
      const deliveries = await Promise.all(
        inOrder.map(async (stored) => {
          const asked = { ...stored, endpointId, organizationId };
          const event = events.open(asked);
          return {
            ...stored,
            eventType: event.type,
            organizationId: event.organizationId,
            activityId: event.activity?.id,
            attempts: page.attempts.filter(({ sequence }) => sequence === stored.sequence),
            body: isPage && selection.withBodies === true ? await events.bodyOf(event) : undefined,
          };
        }),
      );
      return { lastSequence: page.lastSequence, deliveries };
    },
  });
}
