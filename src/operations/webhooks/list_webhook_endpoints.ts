import { answerList, object } from '../../core/schema/schema.ts';
import { endpointView } from '../../core/webhooks/endpoints.ts';
import { query } from '../operation.ts';
import { endpointShape } from './endpoint_shape.ts';

export const list_webhook_endpoints = query({
  summary: 'Lists the webhook endpoints of the organization, oldest first.',
  body: object({}),
  response: object({ webhookEndpoints: answerList(endpointShape()) }),

  answer: ({ organization }) => ({
    webhookEndpoints: organization
      .list('webhook_endpoint')
      .map((endpoint) => endpointView(endpoint, organization.id)),
  }),
});
