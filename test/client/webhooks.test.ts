// Deliveries of a running service, verified by the client library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKey, connect, newKey, Untrusted } from '../../src/client/index.ts';
import { verifyWebhook, type WebhookKey, webhookKeys } from '../../src/client/webhooks.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { startReceiver } from '../e2e/webhook_receiver.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
const { organizationId, baseUrl: url } = service.credentials;
const client = connect({ url, organizationId, stamp: await apiKey(service.credentials) });

test('a delivery is parsed after its signature, key and time were found right', async () => {
  const receiver = await startReceiver();
  await client.submit('create_webhook_endpoint', {
    url: receiver.url,
    name: 'Ledger',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '' }],
  });
  const [delivery] = await receiver.atLeast(1);
  await receiver.close();
  assert(delivery !== undefined);
  const { headers, body } = delivery;
  const { event, eventId, timestampMs } = await verifyWebhook(delivery, webhookKeys(url));
  assert.equal(event['type'], 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT');
  assert.equal(eventId, headers['x-service-event-id']);

  const published = await (await fetch(`${url}/public/v1/discovery/webhooks/jwks`)).json();
  const keys: readonly WebhookKey[] = published.keys;
  const saved = { headers: new Headers(headers as Record<string, string>), body: String(body) };
  assert.equal((await verifyWebhook(saved, keys)).eventId, eventId, 'offline, as text');

  const refused = (value: typeof delivery, now = () => timestampMs) =>
    assert.rejects(
      verifyWebhook(value, keys, { now }),
      (error) => error instanceof Untrusted && error.code === 'DELIVERY_INVALID',
    );
  const changed = Buffer.from(body);
  changed[changed.length - 2] = 0x20;
  await refused({ ...delivery, body: changed });
  for (const name of Object.keys(headers).filter((header) => header.startsWith('x-service-'))) {
    const isSigned = !/organization-id|event-type|webhook-version|sequence/.test(name);
    if (isSigned) await refused({ ...delivery, headers: { ...headers, [name]: '1' } });
  }
  await refused({ ...delivery, headers: {} });
  await refused(delivery, () => timestampMs + 300_001);
  await refused(delivery, () => timestampMs - 300_001);
  await assert.rejects(verifyWebhook(delivery, []), Untrusted);
});

test('a signed delivery of another organization is refused where the receiver names its own', async () => {
  const stranger = await newKey();
  const { subOrganizationId } = await client.submit('create_sub_organization', {
    subOrganizationName: 'Stranger',
    rootUsers: [
      {
        userName: 'Stranger',
        apiKeys: [
          {
            apiKeyName: 'Key',
            publicKey: stranger.publicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  });
  const receiver = await startReceiver();
  await client
    .within(subOrganizationId)
    .as(stranger)
    .submit('create_webhook_endpoint', {
      url: receiver.url,
      name: 'The receiver of somebody else',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '' }],
    });
  const [delivery] = await receiver.atLeast(1);
  await receiver.close();
  assert(delivery !== undefined);
  const keys = webhookKeys(url);
  const { event } = await verifyWebhook(delivery, keys);
  assert.equal(
    event['organizationId'],
    subOrganizationId,
    'the signature alone says nothing of it',
  );
  const accepting = (own: string) => ({ accepts: (id: string) => id === own });
  await verifyWebhook(delivery, keys, accepting(subOrganizationId));
  await assert.rejects(
    verifyWebhook(delivery, keys, accepting(organizationId)),
    (error) => error instanceof Untrusted && /another organization/.test(error.message),
  );
});

test('keys are fetched once, and again for an unknown id, but not at every one', async () => {
  let fetches = 0;
  let nowMs = 0;
  const counted: typeof fetch = (...all) => {
    fetches += 1;
    return fetch(...all);
  };
  const keys = webhookKeys(url, { fetch: counted, now: () => nowMs });
  assert.deepEqual(await Promise.all([keys('unknown'), keys('other')]), [undefined, undefined]);
  assert.equal(await keys('unknown'), undefined);
  assert.equal(fetches, 1);
  nowMs += 10_000;
  await keys('unknown');
  assert.equal(fetches, 2);
});
