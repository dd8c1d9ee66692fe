// Rules of webhook endpoints, to which an organization's events are delivered.

import type { Context } from '../base/context.ts';
import { type WebhookEventType, type WebhookFormat, webhookEventTypeNames } from '../base/enums.ts';
import { fail, failField } from '../errors/errors.ts';
import { checkLimit } from '../organization/limits.ts';
import type { WebhookEndpoint, WebhookSubscription } from '../organization/records/webhooks.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { webhookEventTypes } from './event_types.ts';
import { readFilters } from './filters.ts';

export const maximumUrlCharacters = 2_048;
export const maximumSubscriptions = 16;

/** Parameters of a subscription. */
type SubscriptionParameters = {
  readonly eventType: string;
  readonly filtersJson?: string | undefined;
  readonly isActive?: boolean | undefined;
};

/** Returns true for an endpoint without a URL, whose events are fetched. */
export const isPulled = ({ url }: Pick<WebhookEndpoint, 'url'>): boolean => url === '';

/**
 * Creates an endpoint with a checked URL, or without a URL. Raises `field_invalid`, and
 * `sub_organization_cannot` for subscriptions that sub-organizations cannot have.
 */
export function createEndpoint(
  given: {
    readonly url: string | undefined;
    readonly name: string;
    readonly subscriptions: readonly SubscriptionParameters[];
    readonly bodyFormat?: WebhookFormat | undefined;
  },
  organization: OrganizationDraft,
  { now, newId }: Context,
): WebhookEndpoint {
  const subscriptions = given.subscriptions.map((subscription, i) =>
    subscriptionOf(subscription, organization, `parameters.subscriptions.${i}`),
  );
  const { bodyFormat = 'WEBHOOK_FORMAT_EVENT' } = given;
  const isEvent = bodyFormat === 'WEBHOOK_FORMAT_EVENT';
  if (!isEvent && given.url === undefined)
    failField('parameters.url', 'expected a URL of the chat');
  checkLimit('webhookEndpoints', organization.rows('webhook_endpoint').size + 1, organization);
  const created: WebhookEndpoint = {
    id: newId(),
    name: given.name,
    url: given.url ?? '',
    isActive: true,
    subscriptions,
    ...(isEvent ? {} : { bodyFormat }),
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.put('webhook_endpoint', created);
  return created;
}

/** Changes the given members. Activating an endpoint removes the mark of a disabled one. */
export function updateEndpoint(
  endpointId: string,
  given: {
    readonly url?: string | undefined;
    readonly name?: string | undefined;
    readonly isActive?: boolean | undefined;
  },
  organization: OrganizationDraft,
  now: number,
): WebhookEndpoint {
  const { disabledAtMs, ...known } = requireEndpoint(organization, endpointId);
  const isActive = given.isActive ?? known.isActive;
  const updated: WebhookEndpoint = {
    ...known,
    name: given.name ?? known.name,
    url: given.url ?? known.url,
    isActive,
    ...(isActive || disabledAtMs === undefined ? {} : { disabledAtMs }),
    updatedAtMs: now,
  };
  organization.put('webhook_endpoint', updated);
  return updated;
}

/**
 * Disables an endpoint whose first failure and last change are both older than `disableAfterMs`, so that
 * there was time to mend it. Returns the body of the event, or undefined if the endpoint stays active.
 */
export function disableEndpoint(
  organization: OrganizationDraft,
  endpointId: string,
  {
    now,
    failingSinceMs,
    disableAfterMs,
  }: { readonly now: number; readonly failingSinceMs: number; readonly disableAfterMs: number },
): string | undefined {
  const known = organization.get('webhook_endpoint', endpointId);
  if (known === undefined || !known.isActive) return undefined;
  if (now - Math.max(failingSinceMs, known.updatedAtMs) < disableAfterMs) return undefined;
  const disabled = { ...known, isActive: false, disabledAtMs: now, updatedAtMs: now };
  organization.put('webhook_endpoint', disabled);
  const { id: organizationId, parentId: parentOrganizationId } = organization;
  return JSON.stringify({
    type: 'webhook:disabled',
    organizationId,
    ...(parentOrganizationId === undefined ? {} : { parentOrganizationId }),
    msg: {
      endpointId,
      name: known.name,
      failingSince: new Date(failingSinceMs).toISOString(),
      disabledAt: new Date(now).toISOString(),
    },
  });
}

/** Finds an endpoint by its ID in any letter case. Raises `resource_not_found`. */
export const requireEndpoint = requiredRecord('webhook_endpoint', 'webhook endpoint');

/** Returns the API form of an endpoint. */
export function endpointView(endpoint: WebhookEndpoint, organizationId: string) {
  const { id, url, name, isActive, subscriptions, bodyFormat } = endpoint;
  const view = { endpointId: id, organizationId, url, name, isActive, subscriptions };
  return bodyFormat === undefined ? view : { ...view, bodyFormat };
}

function subscriptionOf(
  { eventType, filtersJson, isActive }: SubscriptionParameters,
  organization: OrganizationView,
  field: string,
): WebhookSubscription {
  const known = eventTypeOf(eventType, `${field}.eventType`);
  if (webhookEventTypes[known].owner === 'tree' && organization.parentId !== undefined) {
    fail('sub_organization_cannot', { action: `subscribe to ${known}` });
  }
  readFilters(known, filtersJson, `${field}.filtersJson`);
  return {
    eventType: known,
    ...(filtersJson === undefined ? {} : { filtersJson }),
    isActive: isActive ?? true,
  };
}

function eventTypeOf(text: string, field: string): WebhookEventType {
  const known = webhookEventTypeNames.find((name) => name === text);
  return known ?? failField(field, `expected one of ${webhookEventTypeNames.join(', ')}`);
}

/** Rejects URLs that no setting allows. The resolved address is also checked, now and at each delivery. */
export function checkUrl(url: string, field: string): void {
  const expected = missingIn(URL.parse(url));
  if (expected !== undefined) failField(field, `expected ${expected}`);
}

function missingIn(url: URL | null): string | undefined {
  if (url === null) return 'a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'https';
  if (url.username !== '' || url.password !== '') return 'no user name or password';
  return url.hostname === '' ? 'a host' : undefined;
}
