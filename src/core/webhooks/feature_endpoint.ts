// `FEATURE_NAME_WEBHOOK`, the older way to hear of activities: a URL in the place of an endpoint, to
// which they are sent without a signature.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { WebhookEndpoint } from '../organization/records/webhooks.ts';
import type { OrganizationState } from '../organization/state.ts';

/** The endpoint that the feature stands for, told of all activities; undefined where it is not set. */
export function featureEndpointOf({
  id,
  head,
}: Pick<OrganizationState, 'id' | 'head'>): WebhookEndpoint | undefined {
  const feature = head.features.find(({ name }) => name === 'FEATURE_NAME_WEBHOOK');
  if (feature?.value === undefined) return undefined;
  return {
    id: featureEndpointId(id),
    name: feature.name,
    url: feature.value,
    isActive: true,
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
    createdAtMs: head.updatedAtMs,
    updatedAtMs: head.updatedAtMs,
  };
}

/** A UUIDv8 (RFC 9562) that follows from the organization, so that what waits finds its feature again. */
function featureEndpointId(organizationId: string): string {
  const digits = hex(sha256(utf8(`webhook feature/${organizationId}`)).subarray(0, 8));
  return `${organizationId.slice(0, 14)}8${organizationId.slice(15, 18)}-8${digits.slice(0, 3)}-${digits.slice(3, 15)}`;
}
