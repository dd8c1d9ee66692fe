export { create_webhook_endpoint } from './create_webhook_endpoint.ts';
export { delete_webhook_endpoint } from './delete_webhook_endpoint.ts';
export { list_webhook_deliveries } from './list_webhook_deliveries.ts';
export { list_webhook_endpoints } from './list_webhook_endpoints.ts';
export { redeliver_webhook_events } from './redeliver_webhook_events.ts';
export { rotate_webhook_key } from './rotate_webhook_key.ts';
export { update_webhook_endpoint } from './update_webhook_endpoint.ts';
