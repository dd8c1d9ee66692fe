import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeEndpoint, shownEndpoints } from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const wire = {
  operation: 'delete_webhook_endpoint',
  type: 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT',
  intent: 'deleteWebhookEndpointIntent',
  result: 'deleteWebhookEndpointResult',
};

test('delete_webhook_endpoint: deletes one endpoint and keeps the others', async () => {
  const first = await makeEndpoint(service);
  const second = await makeEndpoint(service);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { endpointId: first.toUpperCase() },
    malformed: [{ field: 'parameters.endpointId', parameters: { endpointId: 'x' } }],
  });
  assert.deepEqual(result, { endpointId: first });
  assert.deepEqual(
    (await shownEndpoints(service)).map(({ endpointId }) => endpointId),
    [second],
  );
});

test('delete_webhook_endpoint: takes only endpoints of this organization', async () => {
  const ofChild = await makeEndpoint(service, {}, await addChild(service));
  for (const endpointId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { endpointId } },
      {
        status: 404,
        code: 5,
        text: new RegExp(`^unable to find webhook endpoint ${endpointId} in organization`),
      },
    );
  }
});
