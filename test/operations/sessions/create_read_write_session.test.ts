import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 as nobleP256 } from '@noble/curves/nist.js';
import { createBase58check } from '@scure/base';
import { hex } from '../../../src/core/base/bytes.ts';
import { openBundle } from '../../../src/core/bundles/bundle_encryption.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { startTestService, type TestKey, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { keyOf, resultOf } from './session_requests.ts';

const wire = {
  operation: 'create_read_write_session',
  type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  intent: 'createReadWriteSessionIntentV2',
  result: 'createReadWriteSessionResultV2',
};
const target = testKey('target');
const targetPublicKey = hex(nobleP256.getPublicKey(target.privateKey, false));

/** Opens the key in a bundle. */
function opened(bundle: string): TestKey {
  const bytes = createBase58check(sha256).decode(bundle);
  const privateKey = openBundle({
    receiverPrivateKey: target.privateKey,
    encapsulatedKey: bytes.subarray(0, 33),
    ciphertext: bytes.subarray(33),
  });
  assert.ok(privateKey !== undefined);
  return keyOf(privateKey);
}

// AUTH-14
test('create_read_write_session: the root quorum opens a session for another user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const parameters = { targetPublicKey, userId: userId.toUpperCase(), apiKeyName: 'Frame' };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['apiKeyName', 'userId'],
    malformed: [
      { field: 'parameters.targetPublicKey', parameters: { ...parameters, targetPublicKey: 'x' } },
      {
        field: 'parameters.targetPublicKey',
        parameters: { ...parameters, targetPublicKey: `${targetPublicKey}00` },
      },
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.email', parameters: { ...parameters, email: 'alice@example.com' } },
      { field: 'parameters.apiKeyName', parameters: { ...parameters, apiKeyName: '' } },
      {
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds: '0' },
      },
    ],
  });
  const { apiKeyId, credentialBundle, ...rest } = result;
  assert.deepEqual(rest, {
    organizationId: service.root.organizationId,
    organizationName: 'Test organization',
    userId,
    username: 'Alice',
  });
  const key = opened(credentialBundle);
  const [, session] = (await shownUser(service, userId)).apiKeys;
  assert.deepEqual(
    [session.apiKeyId, session.apiKeyName, session.expirationSeconds, session.credential],
    [
      apiKeyId,
      'Frame',
      '900',
      { publicKey: key.publicKey, type: 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256' },
    ],
  );
  assert.equal((await service.query('whoami', {}, { key })).body.userId, userId);
});

test('create_read_write_session: every user opens own sessions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Alice') };
  const send = (parameters: object) => service.submit(wire.operation, wire.type, parameters, as);
  const first = resultOf(await send({ targetPublicKey: target.publicKey }));
  assert.equal(first.username, 'Alice');
  const [, named] = (await shownUser(service, first.userId)).apiKeys;
  assert.match(named.apiKeyName, /^Read Write Session - 2026-01-01T/);
  const key = opened(first.credentialBundle);
  assert.equal((await service.query('whoami', {}, { key })).status, 200);
  const life = { invalidateExisting: true, expirationSeconds: '60' };
  const second = resultOf(await send({ targetPublicKey, ...life }));
  assertRefused(await service.query('whoami', {}, { key }), 401, 16);
  const other = { key: opened(second.credentialBundle) };
  assert.equal((await service.query('whoami', {}, other)).status, 200);
  service.advance(60_000);
  assertRefused(await service.query('whoami', {}, other), 401, 16);
  assertRefused(await send({ targetPublicKey, userId: bob }), 403, 7);
});

test('create_read_write_session: no policy allows sessions for others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  await makeUser(service, 'Backend');
  await makePolicy(service, 'Logins', {
    condition: "activity.resource == 'AUTH'",
    consensus: 'true',
  });
  const as = { key: testKey('Backend') };
  const send = (parameters: object) =>
    service.submit(wire.operation, wire.type, { targetPublicKey, ...parameters }, as);
  for (const userId of [alice, service.root.userId]) {
    assertRefused(await send({ userId }), 403, 7);
  }
  resultOf(await send({}));
});

test('create_read_write_session: the first version names users by e-mail', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userEmail = 'Alice@example.com';
  const alice = await makeUser(service, 'Alice', { userEmail });
  await makeUser(service, 'Bob', { userEmail: 'bob@example.com' });
  const first = {
    ...wire,
    type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION',
    intent: 'createReadWriteSessionIntent',
    result: 'createReadWriteSessionResult',
  };
  const parameters = { targetPublicKey, email: 'alice@example.COM' };
  const malformed = [{ field: 'parameters.userId', parameters: { ...parameters, userId: alice } }];
  const result = await checkActivity(service, { ...first, parameters, malformed });
  assert.equal(result.userId, alice);
  const send = (email: string, name: string) =>
    service.submit(wire.operation, first.type, { targetPublicKey, email }, { key: testKey(name) });
  assert.equal(resultOf(await send(userEmail, 'Alice')).userId, alice);
  assertRefused(await send(userEmail, 'Bob'), 403, 7);
  const text = /^unable to find user nobody@example.com /;
  const nobody = { targetPublicKey, email: 'nobody@example.com' };
  await checkRefused(service, { ...first, parameters: nobody }, { status: 404, code: 5, text });
  await makeUser(service, 'Second Alice', { userEmail });
  assertRefused(await send(userEmail, 'Alice'), 400, 3);
});

test('create_read_write_session: a parent opens no session for users of its children', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { organizationId, key } = child;
  const { body } = await service.query('whoami', {}, child);
  const parameters = { targetPublicKey, userId: body.userId };
  const refused = await service.submit(wire.operation, wire.type, parameters, { organizationId });
  assertRefused(refused, 400, 3);
  assert.equal(refused.body.turnkeyErrorCode, 'ORGANIZATION_MISMATCH');
  const missing = { status: 404, code: 5, text: /^unable to find user / };
  for (const userId of [body.userId, unknownId]) {
    await checkRefused(service, { ...wire, parameters: { targetPublicKey, userId } }, missing);
  }
  // The child's user names the parent, and acts in the child.
  const own = await service.submit(wire.operation, wire.type, { targetPublicKey }, { key });
  assert.equal(resultOf(own).organizationId, organizationId);
});
