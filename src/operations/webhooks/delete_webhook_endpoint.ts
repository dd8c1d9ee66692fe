import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { requireEndpoint } from '../../core/webhooks/endpoints.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_webhook_endpoint = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT'),
  summary:
    'Deletes an endpoint with its subscriptions; events that were not delivered are dropped.',
  subject: { resource: 'WEBHOOK_ENDPOINT', action: 'DELETE' },
  authority: 'webhooks',
  parameters: object({ endpointId: uuid() }),
  result: object({ endpointId: answerText() }),

  facts: ({ parameters }) => ({ params: { endpoint_id: parameters.endpointId.toLowerCase() } }),
  apply: ({ organization, parameters }) => {
    const { id } = requireEndpoint(organization, parameters.endpointId);
    organization.remove('webhook_endpoint', id);
    return { endpointId: id };
  },
});
