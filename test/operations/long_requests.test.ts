// Large requests: other requests run between their parts.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noTurns } from '../../src/enclave/turns/fair_turns.ts';
import { startTestService, type TestKey, testKey } from '../support/harness.ts';
import { addPlainUser } from './other_callers.ts';
import { makeSender } from './sending/send_requests.ts';
import { describedKey } from './users/user_requests.ts';

const many = 100;
const times = <Item>(count: number, make: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Starts a service; `pausesOf` carries out an activity and counts its pauses. */
async function started(t: TestContext) {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const service = await startTestService({ turns: { ...noTurns, pause } });
  t.after(() => service.close());
  const pausesOf = async (operation: string, type: string, parameters: object, key?: TestKey) => {
    const before = pauses;
    const { status, body } = await service.submit(
      operation,
      `ACTIVITY_TYPE_${type}`,
      parameters,
      key && { key },
    );
    assert.equal(status, 200, JSON.stringify(body));
    return { count: pauses - before, result: body.activity.result };
  };
  return { service, pausesOf };
}

const account = (i: number) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${i}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
});
const keyOf = (name: string) => ({ ...describedKey(name), publicKey: testKey(name).publicKey });

test('others have their turn between signatures, and each payload has its own', async (t) => {
  const { service, pausesOf } = await started(t);
  const signWith = await makeSender(service);
  const payloads = (count: number) => times(count, (i) => i.toString(16).padStart(64, '0'));
  const signed = (some: readonly string[]) =>
    pausesOf('sign_raw_payloads', 'SIGN_RAW_PAYLOADS', {
      signWith,
      payloads: some,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
  const all = await signed(payloads(250));
  assert(all.count >= 31, `${all.count} pauses`);
  const { signatures } = all.result.signRawPayloadsResult;
  assert.equal(signatures.length, 250);
  for (const [i, payload] of payloads(250).entries()) {
    if (i % 49 !== 0) continue;
    const alone = (await signed([payload])).result.signRawPayloadsResult.signatures;
    assert.deepEqual(alone, [signatures[i]], `payload ${i}`);
  }
});

test('other requests run after each generated private key', async (t) => {
  const { pausesOf } = await started(t);
  const drawn = (name: string, count: number) =>
    pausesOf('create_private_keys', 'CREATE_PRIVATE_KEYS_V2', {
      privateKeys: times(count, (i) => ({
        privateKeyName: `${name} ${i}`,
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      })),
    });
  const one = await drawn('One', 1);
  assert((await drawn('Many', many)).count >= one.count + many - 1);
});

test('other requests run between the users and the accounts of a new sub-organization', async (t) => {
  const { pausesOf } = await started(t);
  const created = (name: string, users: number, accounts: number) =>
    pausesOf('create_sub_organization', 'CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: times(users, (i) => ({
        userName: `User ${i}`,
        apiKeys: [keyOf(`${name} ${i}`)],
        authenticators: [],
        oauthProviders: [],
      })),
      wallet: { walletName: 'Wallet', accounts: times(accounts, account) },
    });
  const one = await created('One', 1, 1);
  assert((await created('Users', many, 1)).count >= one.count + many - 1);
  assert((await created('Accounts', 1, many)).count >= one.count + many - 1);
});

test('other requests run after each created user, and all keys are checked', async (t) => {
  const { service, pausesOf } = await started(t);
  const parameters = (name: string, count: number) => ({
    users: times(count, (i) => ({
      userName: `${name} ${i}`,
      userTags: [],
      apiKeys: [keyOf(`${name} ${i}`)],
      authenticators: [],
      oauthProviders: [],
    })),
  });
  const created = (name: string, count: number) =>
    pausesOf('create_users', 'CREATE_USERS_V4', parameters(name, count));
  const one = await created('One', 1);
  assert((await created('Many', 50)).count >= one.count + 49);
  const refused = async (users: object[], field: RegExp) => {
    const answer = await service.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users });
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match(JSON.stringify(answer.body), field);
  };
  const [first, second] = parameters('New', 2).users;
  const broken = { ...keyOf('broken'), publicKey: `02${'ff'.repeat(32)}` };
  await refused([first ?? {}, { ...second, apiKeys: [broken] }], /users\.1\.apiKeys\.0\.publicKey/);
  const known = await service.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [first, { ...second, apiKeys: first?.apiKeys }],
  });
  assert.equal(known.status, 409, JSON.stringify(known.body));
});

test('other requests run between conditions that compare each pair of a list', async (t) => {
  const { service, pausesOf } = await started(t);
  const signWith = await makeSender(service);
  const { key } = await addPlainUser(service);
  const values = "eth.eip_712.message['values']";
  const signed = async (serial: number) => {
    const payload = JSON.stringify({
      types: { Message: [{ name: 'values', type: 'uint256[]' }] },
      domain: { name: `Domain ${serial}` },
      primaryType: 'Message',
      message: { values: times(400, (i) => i) },
    });
    const asked = { signWith, payload, encoding: 'PAYLOAD_ENCODING_EIP712' };
    const hashFunction = 'HASH_FUNCTION_NO_OP';
    const { count, result } = await pausesOf(
      'sign_raw_payload',
      'SIGN_RAW_PAYLOAD_V2',
      { ...asked, hashFunction },
      key,
    );
    assert(result.signRawPayloadResult.r !== undefined);
    return count;
  };
  const allow = async (policyName: string, condition: string) => {
    const policy = { policyName, effect: 'EFFECT_ALLOW', condition, notes: '' };
    await pausesOf('create_policy', 'CREATE_POLICY_V3', policy);
  };
  await allow('All', 'true');
  // The first request of a user loads more.
  await signed(0);
  const without = await signed(1);
  for (let i = 0; i < 4; i += 1) {
    const other = `activity.type != '${i}'`;
    await allow(`Pairs ${i}`, `${values}.all(x, ${values}.contains(x)) && ${other}`);
  }
  assert((await signed(2)) >= without + 4);
});
