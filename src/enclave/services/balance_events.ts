// Webhook events of a block: one for each transfer and subscribed endpoint.

import { evenShare } from '../../core/balances/even_share.ts';
import { type BalanceStage, type Block, balanceEvent } from '../../core/balances/transfers.ts';
import type { WebhookEventType } from '../../core/base/enums.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { balanceEventTypes, balanceWebhookEvent } from '../../core/webhooks/event_factory.ts';
import { endpointsFor } from '../../core/webhooks/subscribers.ts';
import type { StoredEvent, StorePort } from '../../store/port.ts';
import { requiredState } from '../records/change_writer.ts';
import { createEventWriter } from '../records/event_writer.ts';
import type { RecordCodec } from '../records/record_codec.ts';
import { batchesOf, idsAtOnce } from './batches.ts';
import type { Watchers } from './chain_history.ts';

/** Maximum events of one block over all endpoints, because they share a commit with its cursor. */
const eventsOfBlock = 20_000;

type BalanceEvents = {
  /** Returns the events of a block that were not delivered before. */
  of(
    stage: BalanceStage,
    of: { readonly caip2: string; readonly block: Block },
    matched: Watchers,
  ): Promise<StoredEvent[]>;
};

export function createBalanceEvents({
  store,
  codec,
  organization,
  clock,
  pause,
  crowded,
}: {
  readonly store: StorePort;
  readonly codec: RecordCodec;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly clock: () => number;
  /** Yields the thread to other requests, because a block may concern thousands of accounts. */
  readonly pause: () => Promise<void>;
  /** Called for a block with more events than the limit, some of which are dropped. */
  readonly crowded: (block: { readonly caip2: string; readonly number: number }) => void;
}): BalanceEvents {
  const events = createEventWriter(codec, () => undefined);
  const parentOf = async ({ parentId }: OrganizationState) =>
    parentId === undefined ? undefined : requiredState(organization, parentId);

  async function eventsOf(
    stage: BalanceStage,
    { caip2, block }: { readonly caip2: string; readonly block: Block },
    matched: Watchers,
  ): Promise<StoredEvent[]> {
    const type = balanceEventTypes[stage];
    const share = await shareOf(type, block, matched);
    if (share !== Number.POSITIVE_INFINITY) crowded({ caip2, number: block.number });
    const made: StoredEvent[] = [];
    const reportedBy = new Map<string, number>();
    for (const transfer of block.transfers) {
      for (const state of matched.get(transfer.address) ?? []) {
        await pause();
        const { id: organizationId, parentId: parentOrganizationId = organizationId } = state;
        const before = reportedBy.get(organizationId) ?? 0;
        const parent = await parentOf(state);
        const more = endpointsFor(type, state, parent).length;
        // Each organization receives at least one transfer.
        const isBeyond = before > 0 && before + more > share;
        if (more === 0 || isBeyond) continue;
        reportedBy.set(organizationId, before + more);
        const where = { caip2, block, organizationId, parentOrganizationId };
        const { id, change, body } = balanceEvent(stage, transfer, where);
        const service = { ...balanceWebhookEvent(stage, change), id, body, atMs: clock() };
        made.push(...events.of(service, state, parent));
      }
    }
    return withoutKnown(made);
  }

  /** Returns the maximum number of events of a block for each organization. */
  async function shareOf(
    type: WebhookEventType,
    { transfers }: Block,
    matched: Watchers,
  ): Promise<number> {
    const counts = new Map<string, number>();
    for (const { address } of transfers) {
      if (matched.has(address)) counts.set(address, (counts.get(address) ?? 0) + 1);
    }
    const demand = new Map<string, number>();
    for (const [address, count] of counts) {
      for (const state of matched.get(address) ?? []) {
        await pause();
        const endpoints = endpointsFor(type, state, await parentOf(state)).length;
        demand.set(state.id, (demand.get(state.id) ?? 0) + count * endpoints);
      }
    }
    return evenShare(demand.values(), eventsOfBlock);
  }

  /** Omits events of a block that returns after a reorganization. */
  async function withoutKnown(made: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const fresh: StoredEvent[] = [];
    for (const [endpointId, own] of Map.groupBy(made, (event) => event.endpointId)) {
      for (const batch of batchesOf(own, idsAtOnce)) {
        const eventIds = batch.map(({ eventId }) => eventId);
        const known = await store.deliveryPage({ endpointId, after: 0, limit: 1, eventIds });
        const knownIds = new Set(known.deliveries.map(({ eventId }) => eventId));
        fresh.push(...batch.filter(({ eventId }) => !knownIds.has(eventId)));
      }
    }
    return fresh;
  }

  return { of: eventsOf };
}
