// Webhooks over the real service, verified by a receiver with the rules of the specification, and by the
// verifier of the public clients.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto';
import { isRefusal, serverClient } from './clients.ts';
import { serviceOfThisFile, until } from './service.ts';
import { createKeySet, type Received, refusalOf, startReceiver } from './webhook_receiver.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
const { organizationId } = service.credentials;
const client = serverClient(service);
const receiver = await startReceiver();
after(() => receiver.close());
const keySet = createKeySet(service.baseUrl);

const { endpointId, webhookEndpoint } = await client.createWebhookEndpoint({
  url: receiver.url,
  name: 'Ledger',
  subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
});

/** Waits for the delivery of an activity, and returns it. */
async function deliveryOf(activityId: string): Promise<Received> {
  const find = () =>
    receiver.received.find(({ body }) => JSON.parse(body.toString()).id === activityId);
  await until('the delivery arrives', () => find() !== undefined);
  const found = find();
  assert(found !== undefined);
  return found;
}

async function renamed(organizationName: string): Promise<string> {
  return (await client.updateOrganizationName({ organizationName })).activity.id;
}

// HOOK-01 … HOOK-29, AUTH-08, LIM-08, OPEN-14 … OPEN-18
test('an activity is delivered unchanged, with a signature by the specification', async () => {
  assert.equal(webhookEndpoint.url, receiver.url);
  const activityId = await renamed('Told');
  const delivery = await deliveryOf(activityId);
  assert.equal(await refusalOf(delivery, keySet), undefined);
  const { activity } = await client.getActivity({ activityId });
  assert.deepEqual(JSON.parse(delivery.body.toString()), activity);
  const { headers } = delivery;
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['x-service-organization-id'], organizationId); // HOOK-12
  assert.equal(headers['x-service-event-type'], 'ACTIVITY_UPDATES'); // HOOK-13
  assert.equal(headers['x-service-webhook-version'], '1');
  assert.match(String(headers['x-service-signature']), /^[0-9a-f]{128}$/); // HOOK-11, LIM-07
});

test('the first event of an endpoint is its own creation', async () => {
  const [first] = await receiver.atLeast(1);
  assert(first !== undefined);
  assert.equal(first.headers['x-service-sequence'], '1');
  const { result } = JSON.parse(first.body.toString());
  assert.equal(result.createWebhookEndpointResult.endpointId, endpointId);
});

// Unsigned headers can be altered; signed ones cannot.
test('ERR-01 HOOK-14 HOOK-18 HOOK-19 HOOK-20: every alteration of the signed content is detected', async () => {
  const { headers, body } = await deliveryOf(await renamed('Altered'));
  const text = body.toString();
  const withHeader = (name: string, value: string) => ({
    headers: { ...headers, [name]: value },
    body,
  });
  const altered: Readonly<Record<string, Pick<Received, 'headers' | 'body'>>> = {
    whitespace: { headers, body: Buffer.from(text.replace(':', ': ')) },
    'key order': {
      headers,
      body: Buffer.from(
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())),
      ),
    },
    'a value': { headers, body: Buffer.from(text.replace('Altered', 'Altared')) },
    'a byte more': { headers, body: Buffer.concat([body, Buffer.from(' ')]) },
    'the event id': withHeader('x-service-event-id', 'another'),
    'the timestamp': withHeader('x-service-timestamp', String(Date.now() + 1)),
    'the signature': withHeader('x-service-signature', 'ab'.repeat(64)),
  };
  for (const [what, delivery] of Object.entries(altered)) {
    assert.equal(await refusalOf(delivery, keySet), 'signature', what);
  }
  const unknown = withHeader('x-service-signature-key-id', 'another');
  const fetches = keySet.fetches();
  assert.equal(await refusalOf(unknown, keySet), 'key');
  assert.equal(keySet.fetches(), fetches + 1); // HOOK-28
  assert.equal(await refusalOf({ headers, body }, keySet, Date.now() + 301_000), 'timestamp');
  assert.equal(await refusalOf(withHeader('x-service-organization-id', 'x'), keySet), undefined);
});

test('the verifier of the public clients accepts it, and rejects alterations', async () => {
  const delivery = await deliveryOf(await renamed('Examined'));
  const keyId = String(delivery.headers['x-service-signature-key-id']);
  const key = await keySet.keyOf(keyId);
  assert(key !== undefined);
  const publicKey = Buffer.from(key.x, 'base64url').toString('hex');
  const examine = (body: string) =>
    verifyTurnkeyWebhookSignature({
      headers: new Headers(Object.entries(delivery.headers) as [string, string][]),
      body,
      verificationKeys: [{ keyId, publicKey }],
      maxTimestampAgeMs: 300_000,
    });
  const text = delivery.body.toString();
  const examined = examine(text);
  assert.equal(examined.ok, true, JSON.stringify(examined));
  assert.equal(examined.ok ? examined.eventId : undefined, delivery.headers['x-service-event-id']);
  assert.deepEqual(examine(`${text} `), { ok: false, reason: 'invalid_signature' });
});

// DISC-01 … DISC-04, DISC-06 … DISC-13, AUTH-07, SVC-11
test('the key set is public and names its lifetime', async () => {
  const url = `${service.baseUrl}/public/v1/discovery/webhooks/jwks`;
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=\d+/);
  const { keys } = (await answer.json()) as { keys: Record<string, string>[] };
  assert.equal(keys.length, 1);
  for (const { kid, x, ...rest } of keys) {
    assert.ok(kid && x && Buffer.from(x, 'base64url').length === 32);
    assert.deepEqual(rest, {
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      service_signature_algorithm: 'ed25519',
      service_signature_version: 'v1',
      turnkey_signature_algorithm: 'ed25519',
      turnkey_signature_version: 'v1',
    });
  }
  const wrong = await fetch(url, { method: 'POST' });
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD']);
});

test('DISC-14: a receiver caches the key set for its lifetime, and fetches it again afterwards', async () => {
  const { headers } = await deliveryOf(await renamed('Kept'));
  const kid = String(headers['x-service-signature-key-id']);
  const own = createKeySet(service.baseUrl);
  const now = Date.now();
  for (const [atMs, fetches] of [
    [now, 1],
    [now + 3_599_000, 1],
    [now + 3_600_000, 2],
  ] as const) {
    assert.equal((await own.keyOf(kid, atMs))?.kid, kid);
    assert.equal(own.fetches(), fetches);
  }
});

test('a failed delivery is repeated, and again on request', async () => {
  let refusals = 0;
  receiver.answer(() => {
    refusals += 1;
    return refusals <= 1 ? 503 : 200;
  });
  const activityId = await renamed('Later');
  const tries = () =>
    receiver.received.filter(({ body }) => JSON.parse(body.toString()).id === activityId);
  await until('it comes again', () => tries().length === 2);
  const [first, second] = tries();
  assert(first !== undefined && second !== undefined);
  const ids = [first, second].map(({ headers }) => headers['x-service-event-id']);
  assert.equal(ids[0], ids[1]);
  assert.notEqual(first.headers['x-service-timestamp'], second.headers['x-service-timestamp']);
  assert.equal(await refusalOf(second, keySet), undefined);
  receiver.answer(() => 200);
});

test('the URL of the older feature gets activities unsigned', async () => {
  const older = await startReceiver();
  try {
    const name = 'FEATURE_NAME_WEBHOOK';
    await client.setOrganizationFeature({ name, value: older.url });
    const activityId = await renamed('Told in the older way');
    await older.atLeast(2);
    await client.removeOrganizationFeature({ name });
    const [, { headers, body } = { headers: {}, body: Buffer.alloc(0) }] = older.received;
    assert.deepEqual(
      JSON.parse(body.toString()),
      (await client.getActivity({ activityId })).activity,
    );
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(
      Object.keys(headers).filter((header) => header.startsWith('x-')),
      [],
    );
  } finally {
    older.close();
  }
});

test('a URL that cannot be a receiver is refused', async () => {
  for (const url of ['https://user@receiver.example/', 'ftp://receiver.example/', 'nothing']) {
    await assert.rejects(
      client.createWebhookEndpoint({ url, name: 'Nowhere', subscriptions: [] }),
      isRefusal(3, 'REQUEST_INVALID', /parameters.url/),
    );
  }
});

test('a key is rotated by command, and receivers follow', async () => {
  const run = promisify(execFile);
  const environment = { ...process.env, KEYWRIGHT_DATA_DIR: service.dataDirectory };
  const command = (...words: string[]) =>
    run(process.execPath, ['src/main.ts', 'webhook', 'rotate-key', ...words], {
      env: environment,
    });
  const url = ['--url', service.baseUrl];
  const { stdout } = await command('--immediately', '--yes', ...url);
  assert.match(stdout, /^Signs from +20/);
  const before = keySet.fetches();
  // The service caches the times of the keys for a second.
  let delivery: Received | undefined;
  await until('the next key signs', async () => {
    delivery = await deliveryOf(await renamed(`Rotated ${Math.random()}`));
    return (await refusalOf(delivery, keySet)) === undefined && keySet.fetches() > before;
  });
  await assert.rejects(command('now', ...url), { code: 2 });
});

test('the numbers of the deliveries have no gap', async () => {
  const sequences = new Set(
    receiver.received.map(({ headers }) => Number(headers['x-service-sequence'])),
  );
  const highest = Math.max(...sequences);
  assert.equal(sequences.size, highest);
});
