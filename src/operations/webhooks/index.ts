import { create_webhook_endpoint } from './create_webhook_endpoint.ts';
import { delete_webhook_endpoint } from './delete_webhook_endpoint.ts';
import { list_webhook_deliveries } from './list_webhook_deliveries.ts';
import { list_webhook_endpoints } from './list_webhook_endpoints.ts';
import { redeliver_webhook_events } from './redeliver_webhook_events.ts';
import { rotate_webhook_key } from './rotate_webhook_key.ts';
import { update_webhook_endpoint } from './update_webhook_endpoint.ts';

export const webhookActivities = {
  create_webhook_endpoint,
  delete_webhook_endpoint,
  redeliver_webhook_events,
  rotate_webhook_key,
  update_webhook_endpoint,
};
export const webhookQueries = { list_webhook_deliveries, list_webhook_endpoints };
