import { answerList, answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const list_webhook_endpoints = query({
  summary: 'The webhook endpoints of the organization. None can be made yet, so the list is empty.',
  body: object({}),
  response: object({
    webhookEndpoints: answerList(
      object({
        endpointId: answerText(),
        organizationId: answerText(),
        url: answerText(),
        name: answerText(),
        isActive: boolean(),
        subscriptions: optional(
          answerList(
            object({
              eventType: answerText(),
              filtersJson: optional(answerText()),
              isActive: optional(boolean()),
            }),
          ),
        ),
      }),
    ),
  }),

  answer: () => ({ webhookEndpoints: [] }),
});
