import { webhookFormats } from '../../core/base/enums.ts';
import {
  answerText,
  boolean,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
} from '../../core/schema/schema.ts';
import {
  checkUrl,
  createEndpoint,
  endpointView,
  maximumSubscriptions,
  maximumUrlCharacters,
} from '../../core/webhooks/endpoints.ts';
import { maximumFiltersCharacters } from '../../core/webhooks/filters.ts';
import { activity, wireOf } from '../operation.ts';
import { checkTarget } from './check_target.ts';
import { endpointShape } from './endpoint_shape.ts';

export const create_webhook_endpoint = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT'),
  summary:
    'Creates an endpoint that events are delivered to. Without a URL its events are kept for `list_webhook_deliveries`. See docs/webhooks.md.',
  subject: { resource: 'WEBHOOK_ENDPOINT', action: 'CREATE' },
  authority: 'webhooks',
  parameters: object({
    url: optional(text({ minimum: 1, maximum: maximumUrlCharacters })),
    name: label(),
    bodyFormat: optional(oneOf(webhookFormats)),
    subscriptions: optional(
      list(
        object({
          eventType: text({ minimum: 1, maximum: 100 }),
          filtersJson: optional(
            text({
              maximum: maximumFiltersCharacters,
            }),
          ),
          isActive: optional(boolean()),
        }),
        { maximum: maximumSubscriptions },
      ),
    ),
  }),
  result: object({ endpointId: answerText(), webhookEndpoint: endpointShape() }),

  callsExternal: ({ url }) => url !== undefined,

  load: async ({ parameters: { url } }) => {
    if (url !== undefined) checkUrl(url, 'parameters.url');
  },
  obtain: async ({ parameters: { url }, services }) => {
    if (url !== undefined) await checkTarget(url, services.external);
  },
  apply: ({ organization, parameters: { url, name, subscriptions = [], bodyFormat }, context }) => {
    const created = createEndpoint({ url, name, subscriptions, bodyFormat }, organization, context);
    const webhookEndpoint = endpointView(created, organization.id);
    return { endpointId: created.id, webhookEndpoint };
  },
});
