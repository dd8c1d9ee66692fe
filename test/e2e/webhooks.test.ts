// Webhooks over the real service: an endpoint, an activity, its delivery, and verifiers of two makes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serverClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { createKeySet, refusalOf, startReceiver } from './webhook_receiver.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
const { organizationId } = service.credentials;
const client = serverClient(service);
const receiver = await startReceiver();
after(() => receiver.close());
const keySet = createKeySet(service.baseUrl);

// HOOK-01 … HOOK-20, AUTH-08, OPEN-14 … OPEN-18
test('an activity is delivered as it is, signed as the specification says', async () => {
  const { endpointId, webhookEndpoint } = await client.createWebhookEndpoint({
    url: receiver.url,
    name: 'Ledger',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  assert.equal(webhookEndpoint.url, receiver.url);
  const { activity } = await client.updateOrganizationName({ organizationName: 'Told' });
  const [own, delivery] = await receiver.atLeast(2);
  assert(own !== undefined && delivery !== undefined);
  for (const each of [own, delivery]) assert.equal(await refusalOf(each, keySet), undefined);
  assert.equal(
    JSON.parse(own.body.toString()).result.createWebhookEndpointResult.endpointId,
    endpointId,
  );
  assert.deepEqual(
    JSON.parse(delivery.body.toString()),
    (await client.getActivity({ activityId: activity.id })).activity,
  );
  assert.equal(delivery.headers['content-type'], 'application/json');
  assert.equal(delivery.headers['x-service-organization-id'], organizationId); // HOOK-12
  assert.equal(delivery.headers['x-service-event-type'], 'ACTIVITY_UPDATES'); // HOOK-13
  assert.equal(delivery.headers['x-service-webhook-version'], '1');
  assert.deepEqual(
    [own, delivery].map(({ headers }) => headers['x-service-sequence']),
    ['1', '2'],
  );
});
