// Selects the endpoints of an event.

import type { WebhookEventType } from '../base/enums.ts';
import type { WebhookEndpoint } from '../organization/records/webhooks.ts';
import type { OrganizationState } from '../organization/state.ts';
import { webhookEventTypes } from './event_types.ts';
import { featureEndpointOf } from './feature_endpoint.ts';
import { type EventFacts, type Filters, passes, readFilters } from './filters.ts';

/** An event before its deliveries. */
export type WebhookEvent = {
  readonly type: WebhookEventType;
  readonly facts: EventFacts;
};

/** An endpoint and its organization. */
export type Subscriber = { readonly organizationId: string; readonly endpoint: WebhookEndpoint };

/**
 * Returns the endpoints of an event in an organization: its own, and its parent's. An organization without a
 * parent receives the events that only parents subscribe to.
 */
export function subscribersOf(
  { type, facts }: WebhookEvent,
  organization: OrganizationState,
  parent: OrganizationState | undefined,
): readonly Subscriber[] {
  return endpointsFor(type, organization, parent).filter(({ endpoint }) =>
    isSubscribed(endpoint, type, facts),
  );
}

/** Returns false if no endpoint can receive events of an organization. Cheaper than a search by event. */
export function haveEndpoints(
  organization: OrganizationState,
  parent: OrganizationState | undefined,
): boolean {
  return hasEndpoints(organization) || (parent !== undefined && hasEndpoints(parent));
}

function hasEndpoints(owner: OrganizationState): boolean {
  return owner.records.webhook_endpoint.size > 0 || featureEndpointOf(owner) !== undefined;
}

/** Returns the endpoints subscribed to a type in an organization, before their filters. */
export function endpointsFor(
  type: WebhookEventType,
  organization: OrganizationState,
  parent: OrganizationState | undefined,
): readonly Subscriber[] {
  const owners = parent === undefined ? [organization] : [organization, parent];
  const hears = webhookEventTypes[type].owner;
  return owners
    .filter((owner) => hears === 'any' || owner.parentId === undefined)
    .flatMap((owner) =>
      endpointsOf(owner)
        .filter(({ isActive, subscriptions }) =>
          isActive ? subscriptions.some((each) => isFor(each, type)) : false,
        )
        .map((endpoint) => ({ organizationId: owner.id, endpoint })),
    );
}

function endpointsOf(owner: OrganizationState): readonly WebhookEndpoint[] {
  const ofFeature = featureEndpointOf(owner);
  const own = [...owner.records.webhook_endpoint.values()];
  return ofFeature === undefined ? own : [...own, ofFeature];
}

function isSubscribed(endpoint: WebhookEndpoint, type: WebhookEventType, facts: EventFacts) {
  return endpoint.subscriptions.some(
    (subscription, i) => isFor(subscription, type) && passes(filtersOf(endpoint, i), facts),
  );
}

function isFor(
  { eventType, isActive }: WebhookEndpoint['subscriptions'][number],
  type: WebhookEventType,
): boolean {
  return eventType === type && isActive !== false;
}

/** Parsed filters, once for each row, because rows never change. */
const read = new WeakMap<WebhookEndpoint, readonly Filters[]>();

function filtersOf(endpoint: WebhookEndpoint, index: number): Filters {
  const all = read.getOrInsertComputed(endpoint, ({ subscriptions }) =>
    subscriptions.map(({ eventType, filtersJson }) =>
      readFilters(eventType, filtersJson, 'filtersJson'),
    ),
  );
  return all[index] ?? new Map();
}
