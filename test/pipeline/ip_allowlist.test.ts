// Addresses that requests are accepted from: checked for every kind of credential of an organization
// without a parent, for reads and writes, and for no other credential.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, storedCount } from '../operations/checks.ts';
import { from, rulesOf, setList } from '../operations/ip_allowlist/allowlist_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import {
  logIn,
  readOnlySession,
  resultOf,
  sessionHeader,
} from '../operations/sessions/session_requests.ts';
import { describedKey, makeUser, setFeatures } from '../operations/users/user_requests.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestService,
  testKey,
} from '../support/harness.ts';
import { by, rename } from '../votes/voting.ts';
import { attestedContact, attestedStamp } from './attested_requests.ts';
import { addAuthenticator, passkeyStamp } from './passkey_requests.ts';
import { bytesOf, clientCodeOf, renameEnvelope } from './requests.ts';

const inside = '127.0.0.1';
const outside = '192.0.2.1';

async function started(t: { after: (done: () => void) => void }): Promise<TestService> {
  const service = await startTestService();
  t.after(() => service.close());
  return service;
}

function assertAddress(answer: TestAnswer, address: string): void {
  assertRefused(answer, 403, 7);
  assert.equal(clientCodeOf(answer), 'REQUEST_NOT_AUTHORIZED');
  assert.ok(answer.body.message.endsWith(`accepts no requests from the address \`${address}\``));
}

test('every kind of credential must use an allowed address, to read and to write', async (t) => {
  const service = await started(t);
  const { userId, organizationId, key } = service.root;
  const contact = 'root@example.com';
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const email = { userId, userEmail: contact };
  resultOf(await service.submit('update_user_email', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', email));
  const phone = await addAuthenticator(service, userId, 'phone');
  const session = await readOnlySession(service);
  resultOf(await logIn(service, 'login'));
  const attested = testKey('attested');
  const kinds: Record<string, (body: Uint8Array) => { name: string; value: string }> = {
    key: (body) => stampOf(body, key),
    login: (body) => stampOf(body, testKey('login')),
    passkey: (body) => passkeyStamp(body, phone),
    attested: (body) => attestedStamp(body, attested, attestedContact(service, attested, contact)),
    session: () => sessionHeader(session),
  };
  assert.equal((await setList(service, { rules: rulesOf('127.0.0.0/24') })).status, 200);
  const stored = await storedCount(service);
  for (const [name, stamp] of Object.entries(kinds)) {
    const query = bytesOf({ organizationId });
    const read = () => service.send('query', 'whoami', query, [stamp(query)]);
    assert.equal((await from(service, inside, read)).status, 200, name);
    assertAddress(await from(service, outside, read), outside);
    if (name === 'session') continue;
    const body = bytesOf(renameEnvelope(service));
    const write = () => service.send('submit', 'update_organization_name', body, [stamp(body)]);
    assertAddress(await from(service, outside, write), outside);
  }
  assert.deepEqual(await storedCount(service), stored, 'nothing is kept');
  // An unknown key learns nothing of the list.
  const stranger = () => service.query('whoami', {}, by('stranger'));
  assert.equal(clientCodeOf(await from(service, outside, stranger)), 'PUBLIC_KEY_NOT_FOUND');
});

test('users of the parent are checked in its children too, and users of children are not', async (t) => {
  const service = await started(t);
  const child = await addChild(service);
  const { organizationId } = child;
  await setList(service, { rules: rulesOf(inside) });
  const reads = (as: object) => () => service.query('whoami', {}, { organizationId, ...as });
  assertAddress(await from(service, outside, reads({})), outside);
  assert.equal((await from(service, outside, reads(child))).status, 200);
  const found = () => service.query('whoami', {}, { key: child.key });
  assert.equal((await from(service, outside, found)).status, 200, 'although it names the parent');
  assert.equal((await from(service, outside, () => rename(service, 'Child', child))).status, 200);
});

test('a list of a key replaces that of the organization, once that is enabled', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Alice');
  const as = by('Alice');
  const alice = (address: string) =>
    from(service, address, () => service.query('whoami', {}, as)).then(({ status }) => status);
  const { publicKey } = testKey('Alice');
  await setList(service, { publicKey, rules: rulesOf('192.0.2.0/24') });
  assert.deepEqual([await alice(inside), await alice(outside)], [200, 200], 'nothing is enabled');
  await setList(service, { rules: rulesOf(inside), enabled: false });
  assert.deepEqual([await alice(inside), await alice(outside)], [200, 200]);
  await setList(service, { rules: rulesOf(inside), enabled: true });
  assert.deepEqual([await alice(inside), await alice(outside)], [403, 200]);
  // A list without rules has no effect.
  await setList(service, { publicKey, rules: [] });
  assert.deepEqual([await alice(inside), await alice(outside)], [200, 403]);
});

test('a list of a key is deleted with the key, also if it is registered again', async (t) => {
  const service = await started(t);
  const userId = await makeUser(service, 'Alice');
  await makeUser(service, 'Bob');
  await setList(service, { rules: rulesOf(inside) });
  for (const name of ['Alice', 'Bob']) {
    const { publicKey } = testKey(name);
    await setList(service, { publicKey, rules: rulesOf('192.0.2.0/24') });
  }
  const alice = () => from(service, outside, () => service.query('whoami', {}, by('Alice')));
  assert.equal((await alice()).status, 200);
  const { apiKeys } = (await service.query('get_api_keys', { userId })).body;
  const spare = { userId, apiKeys: [describedKey('spare')] };
  resultOf(await service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', spare));
  const gone = { userId, apiKeyIds: [apiKeys[0].apiKeyId] };
  resultOf(await service.submit('delete_api_keys', 'ACTIVITY_TYPE_DELETE_API_KEYS', gone));
  const again = { userId, apiKeys: [describedKey('Alice')] };
  resultOf(await service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', again));
  assertAddress(await alice(), outside);
  const bob = await from(service, outside, () => service.query('whoami', {}, by('Bob')));
  assert.equal(bob.status, 200, 'that of another key stays');
});

test('a list of a session ends with the session, and continues after a login with the same key', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Alice');
  const as = by('Alice');
  const { publicKey } = testKey('session');
  const asks = () => from(service, outside, () => service.query('whoami', {}, by('session')));
  resultOf(await logIn(service, 'session', {}, as));
  await setList(service, { rules: rulesOf(inside) });
  await setList(service, { publicKey, rules: rulesOf('192.0.2.0/24') });
  assert.equal((await asks()).status, 200);
  resultOf(await logIn(service, 'session', { invalidateExisting: true }, as));
  assert.equal((await asks()).status, 200, 'the same key');
  resultOf(await logIn(service, 'other', { invalidateExisting: true }, as));
  resultOf(await logIn(service, 'session', {}, as));
  assertAddress(await asks(), outside);
});

test('an enabled list without rules admits only keys with their own lists', async (t) => {
  const service = await started(t);
  await makeUser(service, 'Alice');
  const { publicKey } = service.root.key;
  await setList(service, { rules: rulesOf(inside) });
  await setList(service, { publicKey, rules: rulesOf(inside) });
  assert.equal((await setList(service, { rules: [] })).status, 200);
  assertAddress(await service.query('whoami', {}, by('Alice')), inside);
  assert.equal((await service.query('whoami')).status, 200);
});

test('for an unreadable address the list has a setting', async (t) => {
  const service = await started(t);
  const rules = rulesOf(inside, '::1', 'fe80::/64');
  await setList(service, { rules });
  const whoami = () => service.query('whoami');
  const statusFrom = async (address: string) => (await from(service, address, whoami)).status;
  const unreadable = ['', 'unknown', '127.0.0.1:80', '[::1]', '0127.0.0.1', ' 127.0.0.1'];
  for (const address of unreadable) assert.equal(await statusFrom(address), 403, address);
  for (const address of ['::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1', 'fe80::1%eth0']) {
    assert.equal(await statusFrom(address), 200, address);
  }
  await setList(service, { rules, onEvaluationError: 'ALLOW' });
  for (const address of unreadable) assert.equal(await statusFrom(address), 200, address);
  assert.equal(await statusFrom(outside), 403);
});

test('signing in memory checks the list too', async (t) => {
  const service = await started(t);
  const wallet = {
    walletName: 'Signs',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: 'm/0',
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  };
  const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  const [signWith] = resultOf(made).addresses;
  await setList(service, { rules: rulesOf(inside) });
  const sign = (payload: string) => () =>
    service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    });
  assert.equal((await from(service, inside, sign('one'))).status, 200);
  assertAddress(await from(service, outside, sign('two')), outside);
});
