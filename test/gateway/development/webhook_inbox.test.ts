import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import {
  createWebhookInbox,
  webhookInboxLimits,
} from '../../../src/gateway/development/webhook_inbox.ts';

const nowMs = Date.UTC(2026, 0, 1);
/** The maximum age that docs/webhooks.md recommends to receivers. */
const ageMs = 5 * 60_000;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const kid = 'the key';
const { x } = publicKey.export({ format: 'jwk' });
const keySet = async () => Buffer.from(JSON.stringify({ keys: [{ kid, x }] }));
const newInbox = () => createWebhookInbox(keySet, () => nowMs);

type Parts = { eventId: string; body: string; timestamp: number; key: KeyObject; version: string };

function delivery(changes: Partial<Parts> = {}) {
  const given = {
    eventId: 'e1',
    body: '{"n":1}',
    timestamp: nowMs,
    key: privateKey,
    version: 'v1',
  };
  const { eventId, body, timestamp, key, version } = { ...given, ...changes };
  const message = `${version}.ed25519.${kid}.${timestamp}.${eventId}.${body}`;
  const headers = {
    'x-service-event-id': eventId,
    'x-service-event-type': 'ACTIVITY_UPDATES',
    'x-service-sequence': '7',
    'x-service-timestamp': String(timestamp),
    'x-service-signature-key-id': kid,
    'x-service-signature-algorithm': 'ed25519',
    'x-service-signature-version': version,
    'x-service-signature': sign(null, Buffer.from(message), key).toString('hex'),
  };
  return { headers, body: Buffer.from(body) };
}

test('a verified delivery is stored once, newest first', async () => {
  const inbox = newInbox();
  for (const eventId of ['e1', 'e2', 'e1']) {
    const { headers, body } = delivery({ eventId });
    assert.equal(await inbox.receive(headers, body), 200);
  }
  const { deliveries } = inbox.read();
  assert.deepEqual(
    deliveries.map(({ eventId }) => eventId),
    ['e2', 'e1'],
  );
  assert.deepEqual(deliveries[0], {
    eventId: 'e2',
    eventType: 'ACTIVITY_UPDATES',
    sequence: '7',
    verified: true,
    receivedAt: '2026-01-01T00:00:00.000Z',
    body: { n: 1 },
  });
});

test('a delivery that does not verify is refused and not stored', async () => {
  const inbox = newInbox();
  const good = delivery();
  const cases = [
    { headers: {}, body: good.body },
    { headers: good.headers, body: Buffer.from('{"n":2}') },
    { headers: { ...good.headers, 'x-service-event-id': 'e2' }, body: good.body },
    { headers: { ...good.headers, 'x-service-signature-key-id': 'other' }, body: good.body },
    { headers: { ...good.headers, 'x-service-signature': 'zz' }, body: good.body },
    delivery({ key: generateKeyPairSync('ed25519').privateKey }),
    delivery({ version: 'v2' }),
    delivery({ timestamp: nowMs - ageMs - 1 }),
    delivery({ timestamp: nowMs + ageMs + 1 }),
    delivery({ timestamp: Number.NaN }),
    delivery({ body: 'no JSON' }),
  ];
  for (const { headers, body } of cases) assert.equal(await inbox.receive(headers, body), 400);
  assert.deepEqual(inbox.read().deliveries, []);
});

test('the inbox keeps the newest deliveries, within its bounds', async () => {
  const inbox = newInbox();
  const count = webhookInboxLimits.deliveries + 3;
  for (let n = 0; n < count; n += 1) {
    const { headers, body } = delivery({ eventId: `e${n}` });
    await inbox.receive(headers, body);
  }
  const ids = inbox.read().deliveries.map(({ eventId }) => eventId);
  assert.deepEqual([ids.length, ids[0], ids.at(-1)], [count - 3, `e${count - 1}`, 'e3']);
  const large = JSON.stringify('x'.repeat(webhookInboxLimits.bodyBytes / 2));
  for (const eventId of ['l1', 'l2']) {
    const { headers, body } = delivery({ eventId, body: large });
    await inbox.receive(headers, body);
  }
  assert.deepEqual(
    inbox.read().deliveries.map(({ eventId }) => eventId),
    ['l2'],
  );
});
