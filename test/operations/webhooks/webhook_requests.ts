import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';

export const receiverUrl = 'https://receiver.example/hook';

/** Returns an endpoint in the form of requests. */
export const describedEndpoint = (changes: object = {}) => ({
  url: receiverUrl,
  name: 'Ledger',
  subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  ...changes,
});

/** Creates an endpoint as the root user; returns its id. */
export async function makeEndpoint(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const { status, body } = await service.submit(
    'create_webhook_endpoint',
    'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
    describedEndpoint(changes),
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createWebhookEndpointResult.endpointId;
}

/** Returns the endpoints as the service shows them. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shownEndpoints(service: TestService, as: Sender = {}): Promise<any[]> {
  const { status, body } = await service.query('list_webhook_endpoints', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.webhookEndpoints;
}

/** Returns the deliveries of an endpoint as the service shows them. */
export async function shownDeliveries(
  service: TestService,
  endpointId: string,
  wanted: object = {},
  as: Sender = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
): Promise<any> {
  const { status, body } = await service.query(
    'list_webhook_deliveries',
    { endpointId, limit: '100', ...wanted },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
