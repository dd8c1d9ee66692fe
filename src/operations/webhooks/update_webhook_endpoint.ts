import {
  answerText,
  boolean,
  label,
  object,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import {
  checkUrl,
  endpointView,
  maximumUrlCharacters,
  updateEndpoint,
} from '../../core/webhooks/endpoints.ts';
import { activity, wireOf } from '../operation.ts';
import { checkTarget } from './check_target.ts';
import { endpointShape } from './endpoint_shape.ts';

export const update_webhook_endpoint = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT'),
  summary:
    'Updates an endpoint; members that are left out stay. While the endpoint is inactive, it collects no new events and keeps those that wait.',
  subject: { resource: 'WEBHOOK_ENDPOINT', action: 'UPDATE' },
  authority: 'webhooks',
  parameters: object({
    endpointId: uuid(),
    url: optional(text({ minimum: 1, maximum: maximumUrlCharacters })),
    name: optional(label()),
    isActive: optional(boolean()),
  }),
  result: object({ endpointId: answerText(), webhookEndpoint: endpointShape() }),

  callsExternal: ({ url }) => url !== undefined,

  load: async ({ parameters: { url } }) => {
    if (url !== undefined) checkUrl(url, 'parameters.url');
  },
  obtain: async ({ parameters: { url }, services }) => {
    if (url !== undefined) await checkTarget(url, services.external);
  },
  facts: ({ parameters }) => ({ params: { endpoint_id: parameters.endpointId.toLowerCase() } }),
  apply: ({ organization, parameters: { endpointId, ...given }, context }) => {
    const updated = updateEndpoint(endpointId, given, organization, context.now);
    return { endpointId: updated.id, webhookEndpoint: endpointView(updated, organization.id) };
  },
});
