// Every statement of the specification about deliveries and their signatures, on one delivered event. The
// steps of a verifier are checked one at a time.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { type Arrived, createWorld } from '../gateway/webhooks/world.ts';
import { makeEndpoint, receiverUrl } from '../operations/webhooks/webhook_requests.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { rename } from '../votes/voting.ts';
import { type Members, statement } from './statement.ts';

let service: TestService;
let world: ReturnType<typeof createWorld>;
let told: Arrived;
let key: Members;
let activity: Members;

const subscription = { eventType: 'ACTIVITY_UPDATES' };
const renames = '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}';

before(async () => {
  service = await startTestService();
  world = createWorld(service);
  const filtered = { ...subscription, filtersJson: renames };
  await makeEndpoint(service, { name: 'Filtered', subscriptions: [filtered] });
  await makeEndpoint(service, {
    name: 'Not subscribed',
    url: `${receiverUrl}/none`,
    subscriptions: [],
  });
  activity = (await rename(service, 'Told')).body.activity;
  await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Not told of',
    accounts: [],
  });
  const worker = world.start();
  await world.quiet();
  await worker.stop();
  const [first] = world.arrived;
  assert(first !== undefined);
  told = first;
  [key = {}] = (await keySet())['keys'];
});
after(() => service.close());

async function keySet(): Promise<Members> {
  const { body } = await service.enclave.webhookKeySet(undefined);
  return JSON.parse(textOfUtf8(body) ?? '');
}

const header = (name: string): string => told.request.headers?.[name] ?? assert.fail(name);
const rawBody = (): Buffer => Buffer.from(told.request.body ?? assert.fail());
const isHeader = (ids: string, says: string, name: string, check: (value: string) => void) =>
  statement(ids, says, () => check(header(name)));

/** Returns the signed text of these parts by the specification. */
const message = (
  parts: { readonly time?: string; readonly event?: string; readonly kid?: string } = {},
  body: Buffer = rawBody(),
): Buffer => {
  const kid = parts.kid ?? header('X-Service-Signature-Key-Id');
  const time = parts.time ?? header('X-Service-Timestamp');
  const event = parts.event ?? header('X-Service-Event-Id');
  return Buffer.concat([Buffer.from(['v1', 'ed25519', kid, time, event, ''].join('.')), body]);
};

function isSigned(of: Buffer): boolean {
  const raw = Buffer.from(key['x'], 'base64url');
  const publicKey = createPublicKey({
    key: raw,
    format: 'raw-public',
    asymmetricKeyType: 'ed25519',
  });
  return verify(null, of, publicKey, Buffer.from(header('X-Service-Signature'), 'hex'));
}

/** Returns a body that was parsed and serialized again. */
const reordered = (text: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()));

statement('HOOK-01', 'deliveries go to the endpoints that are listed', async () => {
  const { webhookEndpoints } = (await service.query('list_webhook_endpoints')).body;
  const urls = webhookEndpoints.map((endpoint: Members) => endpoint['url']);
  assert.ok(urls.includes(told.url));
});
statement(
  'HOOK-02',
  'a subscription selects a type of event, and without one nothing comes',
  async () => {
    assert.deepEqual(new Set(world.arrived.map(({ url }) => url)), new Set([receiverUrl]));
    for (const [eventType, status] of [
      ['ACTIVITY_UPDATES', 200],
      ['BALANCE_CONFIRMED_UPDATES', 200],
      ['BALANCE_FINALIZED_UPDATES', 200],
      ['NOTHING_UPDATES', 400],
    ] as const) {
      const answer = await service.submit(
        'create_webhook_endpoint',
        'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
        { url: receiverUrl, name: eventType, subscriptions: [{ eventType }] },
      );
      assert.equal(answer.status, status, JSON.stringify(answer.body));
    }
  },
);
statement(
  'HOOK-03',
  'a subscription may have filters, and what they leave out does not come',
  () => {
    const types = world.arrived.map(
      ({ request }) => JSON.parse(textOfUtf8(request.body ?? new Uint8Array()) ?? '').type,
    );
    assert.deepEqual(types, ['ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME']);
  },
);
isHeader('HOOK-04', 'a delivery has the id of its event', 'X-Service-Event-Id', (value) =>
  assert.match(value, /^[0-9a-f-]{36}$/),
);
statement('HOOK-05', 'the id of the event is signed', () => {
  assert.ok(isSigned(message()));
  assert.ok(!isSigned(message({ event: 'another' })));
});
isHeader(
  'HOOK-06 DISC-05',
  'a delivery names the key of the key set',
  'X-Service-Signature-Key-Id',
  (value) => assert.equal(value, key['kid']),
);
isHeader('HOOK-07', 'a delivery names its algorithm', 'X-Service-Signature-Algorithm', (value) =>
  assert.equal(value, 'ed25519'),
);
isHeader(
  'HOOK-08 VER-09',
  'a delivery names the version of its signature',
  'X-Service-Signature-Version',
  (value) => assert.equal(value, 'v1'),
);
isHeader('HOOK-09', 'a delivery has its time in milliseconds', 'X-Service-Timestamp', (value) =>
  assert.equal(value, String(told.atMs)),
);
statement('HOOK-10', 'the time is signed', () => {
  assert.ok(!isSigned(message({ time: String(told.atMs + 1) })));
});
isHeader('HOOK-11 LIM-07', 'the signature is the hex of 64 bytes', 'X-Service-Signature', (value) =>
  assert.match(value, /^[0-9a-f]{128}$/),
);
isHeader('HOOK-12', 'a delivery names the organization', 'X-Service-Organization-Id', (value) =>
  assert.equal(value, service.root.organizationId),
);
isHeader('HOOK-13', 'a delivery names the type of its event', 'X-Service-Event-Type', (value) =>
  assert.equal(value, 'ACTIVITY_UPDATES'),
);
statement('HOOK-14', 'organization and type of event are no part of what is signed', () => {
  const body = rawBody().toString();
  assert.ok(isSigned(message({}, Buffer.from(body))));
  assert.ok(
    !message()
      .subarray(0, message().length - rawBody().length)
      .includes(service.root.organizationId),
  );
  assert.ok(
    !message()
      .subarray(0, message().length - rawBody().length)
      .includes('ACTIVITY_UPDATES'),
  );
});
statement('HOOK-15 AUTH-08', 'deliveries are signed with Ed25519', () => {
  assert.ok(isSigned(message()));
  assert.equal(JSON.parse(rawBody().toString()).id, activity['id']);
});
statement('HOOK-16 VER-08', 'the signed message is six parts joined by dots', () => {
  const [version, algorithm, kid, time, event, ...body] = message().toString().split('.');
  assert.deepEqual([version, algorithm], ['v1', 'ed25519']);
  assert.ok(isSigned(Buffer.from([version, algorithm, kid, time, event, ...body].join('.'))));
  for (const wrong of [
    [algorithm, version, kid, time, event, ...body],
    ['v2', algorithm, kid, time, event, ...body],
    [version, algorithm, kid, event, time, ...body],
    [kid, time, event, ...body],
  ]) {
    assert.ok(!isSigned(Buffer.from(wrong.join('.'))));
  }
});
statement('HOOK-17', 'the body is signed as it is sent, byte by byte', () => {
  const body = rawBody();
  for (const at of [0, Math.floor(body.length / 2), body.length - 1]) {
    const flipped = Buffer.from(body);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    assert.ok(!isSigned(message({}, flipped)));
  }
});
statement('HOOK-18', 'a body that was parsed and written anew is another', () => {
  const anew = JSON.stringify(JSON.parse(rawBody().toString()), undefined, 1);
  assert.ok(!isSigned(message({}, Buffer.from(anew))));
});
statement('HOOK-19', 'white space breaks the signature', () => {
  for (const text of [`${rawBody()} `, ` ${rawBody()}`, rawBody().toString().replace(':', ': ')]) {
    assert.ok(!isSigned(message({}, Buffer.from(text))));
  }
});
statement('HOOK-20', 'another order of members breaks the signature', () => {
  assert.ok(!isSigned(message({}, Buffer.from(reordered(rawBody().toString())))));
});
statement('HOOK-21', 'the key set that a verifier fetches is there', async () => {
  assert.ok(Array.isArray((await keySet())['keys']));
});
statement('HOOK-22', 'exactly one key of the set has the id that the delivery names', async () => {
  const named = (await keySet())['keys'].filter(
    (each: Members) => each['kid'] === header('X-Service-Signature-Key-Id'),
  );
  assert.equal(named.length, 1);
});
statement('HOOK-23 LIM-06 DISC-10', 'x is the base64url of a public key of 32 bytes', () => {
  assert.match(key['x'], /^[A-Za-z0-9_-]{43}$/);
  assert.equal(Buffer.from(key['x'], 'base64url').length, 32);
});
statement('HOOK-24', 'the signature decodes from hex to 64 bytes', () => {
  assert.equal(Buffer.from(header('X-Service-Signature'), 'hex').length, 64);
});
statement('HOOK-25', 'the signature verifies over the signed message, and over no other', () => {
  assert.ok(isSigned(message()));
  assert.ok(!isSigned(rawBody()));
  assert.ok(!isSigned(Buffer.concat([message(), Buffer.from(' ')])));
});
statement(
  'HOOK-26 HOOK-27 LIM-08',
  'each attempt has a time of its own, within minutes of its arrival',
  async (): Promise<void> => {
    const other = await startTestService();
    const at = createWorld(other);
    await makeEndpoint(other, { subscriptions: [{ ...subscription, filtersJson: renames }] });
    await rename(other, 'Late');
    let count = 0;
    at.receive(() => {
      count += 1;
      return count < 6 ? 500 : 200;
    });
    const worker = at.start();
    await at.pass(60 * 60_000);
    await worker.stop();
    other.close();
    assert.equal(at.arrived.length, 6);
    for (const { atMs, request } of at.arrived) {
      const sent = Number(request.headers?.['X-Service-Timestamp']);
      assert.ok(Math.abs(atMs - sent) < 5 * 60_000);
    }
  },
);
statement('HOOK-28', 'a key that signs is in the key set before it does', async () => {
  const type = 'ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY';
  const known = new Set((await keySet())['keys'].map((each: Members) => each['kid']));
  const answer = await service.submit('rotate_webhook_key', type, { immediately: false });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  // The times of the keys are cached for a second.
  service.advance(2_000);
  const later = (await keySet())['keys'].map((each: Members) => each['kid']);
  assert.ok(later.length > known.size && [...known].every((kid) => later.includes(kid)));
});
statement('HOOK-29', 'all that a verifier needs stands in the headers, not in the payload', () => {
  const named = [
    'Event-Id',
    'Timestamp',
    'Signature-Key-Id',
    'Signature-Algorithm',
    'Signature-Version',
    'Signature',
  ];
  for (const name of named) assert.notEqual(header(`X-Service-${name}`), '');
  // The check does not parse the body, so a body that is not JSON can be checked.
  assert.ok(!isSigned(message({}, Buffer.from('{'))));
});
const inKeySet = (ids: string, member: string, value: string) =>
  statement(ids, `a key of the key set has ${member} ${value}`, () =>
    assert.equal(key[member], value),
  );
statement('DISC-03', 'the key set is an object with a list of keys', async () => {
  assert.deepEqual(Object.keys(await keySet()), ['keys']);
});
statement('DISC-04', 'a key has an id', () => assert.match(key['kid'], /^[A-Za-z0-9_-]{43}$/));
inKeySet('DISC-06', 'kty', 'OKP');
inKeySet('DISC-07', 'crv', 'Ed25519');
inKeySet('DISC-08', 'alg', 'EdDSA');
inKeySet('DISC-09', 'use', 'sig');
statement('DISC-11', 'a key names the algorithm of the deliveries', () =>
  assert.equal(key['service_signature_algorithm'], header('X-Service-Signature-Algorithm')),
);
statement('DISC-12', 'a key names the version of the deliveries', () =>
  assert.equal(key['service_signature_version'], header('X-Service-Signature-Version')),
);
inKeySet('VER-10', 'service_signature_version', 'v1');
