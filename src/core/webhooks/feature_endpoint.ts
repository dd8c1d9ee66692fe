// `FEATURE_NAME_WEBHOOK`, the older form of an endpoint: a URL that receives activities without a signature.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { WebhookEndpoint } from '../organization/records/webhooks.ts';
import type { OrganizationState } from '../organization/state.ts';

/** Returns the endpoint of the feature, which receives all activities; undefined without the feature. */
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

/** Returns a UUIDv8 (RFC 9562) derived from the organization, which waiting deliveries refer to. */
function featureEndpointId(organizationId: string): string {
  const digits = hex(sha256(utf8(`webhook feature/${organizationId}`)).subarray(0, 8));
  return `${organizationId.slice(0, 14)}8${organizationId.slice(15, 18)}-8${digits.slice(0, 3)}-${digits.slice(3, 15)}`;
}
