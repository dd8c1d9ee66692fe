import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeEndpoint, receiverUrl } from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

// Q-WEBHOOK-ENDPOINTS-01 … Q-WEBHOOK-ENDPOINTS-03, RES-WEBHOOK-ENDPOINT-01 … RES-WEBHOOK-
// ENDPOINT-08, RES-WEBHOOK-ENDPOINT-10
test('list_webhook_endpoints: lists the endpoints of the organization, oldest first', async () => {
  const { organizationId } = service.root;
  const first = await makeEndpoint(service);
  const second = await makeEndpoint(service, { name: 'Nothing', subscriptions: undefined });
  await makeEndpoint(service, { name: 'Of the child' }, await addChild(service));
  const answer = await checkQuery(service, { operation: 'list_webhook_endpoints', body: {} });
  const shared = { organizationId, url: receiverUrl, isActive: true };
  assert.deepEqual(answer, {
    webhookEndpoints: [
      {
        endpointId: first,
        ...shared,
        name: 'Ledger',
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES', isActive: true }],
      },
      { endpointId: second, ...shared, name: 'Nothing', subscriptions: [] },
    ],
  });
});
