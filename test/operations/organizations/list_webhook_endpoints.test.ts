import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../harness.ts';
import { checkQuery } from '../checks.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

// Q-WEBHOOK-ENDPOINTS-01 … Q-WEBHOOK-ENDPOINTS-03, RES-WEBHOOK-ENDPOINT-01
test('no endpoint can be made yet, so the list is empty', async () => {
  const answer = await checkQuery(service, { operation: 'list_webhook_endpoints', body: {} });
  assert.deepEqual(answer, { webhookEndpoints: [] });
});
