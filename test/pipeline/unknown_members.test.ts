// A newer client sends members that this version does not know. The service ignores and names them, unless
// the member may affect who holds a key or signs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumUnknownMembers } from '../../src/core/schema/unknown_members.ts';
import { assertRefused } from '../operations/checks.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';

const tolerant = { deployment: { refusesUnknownMembers: false } };
const type = 'ACTIVITY_TYPE_CREATE_WALLET';

const createWallet = (service: TestService, members: object) =>
  service.submit('create_wallet', type, { walletName: 'Wallet', accounts: [], ...members });

const walletCount = async (service: TestService) =>
  (await service.query('list_wallets')).body.wallets.length;

test('an unknown member is removed from the intent and named in a warning', async (t) => {
  const service = await startTestService(tolerant);
  t.after(() => service.close());
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: 'm/0',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const sent = { colour: 'blue', accounts: [account, { ...account, path: 'm/1', shade: 1 }] };
  const { status, body } = await createWallet(service, sent);
  assert.equal(status, 200, body.message);
  assert.deepEqual(
    body.warnings.map(({ code, member }: Record<string, string>) => [code, member]),
    [
      ['MEMBER_UNKNOWN', 'parameters.accounts.1.shade'],
      ['MEMBER_UNKNOWN', 'parameters.colour'],
    ],
  );
  const { createWalletIntent: intent } = body.activity.intent;
  assert.ok(!('colour' in intent) && !('shade' in intent.accounts[1]), JSON.stringify(intent));
  assert.equal(body.activity.result.createWalletResult.addresses.length, 2);
});

test('a query names the member in its answer, too', async (t) => {
  const service = await startTestService(tolerant);
  t.after(() => service.close());
  const { status, body } = await service.query('list_wallets', { colour: 'blue' });
  assert.equal(status, 200, body.message);
  assert.equal(body.warnings[0].member, 'colour');
  assert.deepEqual(body.wallets, []);
});

const refused: readonly (readonly [name: string, member: string])[] = [
  ['names a signer', 'cosignerPubkey'],
  ['names a quorum', 'newRootQuorum'],
  ['is misspelled', 'mnemonicLenght'],
  ['is misspelled and one level too high', 'pathFormats'],
  ['belongs to another operation', 'deleteWithoutExport'],
  ['has a name that no client writes', '__proto__ '],
];
for (const [name, member] of refused) {
  test(`a member that ${name} is refused: ${member}`, async (t) => {
    const service = await startTestService(tolerant);
    t.after(() => service.close());
    const answer = await createWallet(service, { [member]: 'x' });
    assertRefused(answer, 400, 3);
    assert.ok(answer.body.message.includes(`unknown field \`parameters.${member}`));
    // An ignorable member next to it changes nothing, and the refused one is named.
    const both = await createWallet(service, { colour: 'blue', [member]: 'x' });
    assertRefused(both, 400, 3);
    assert.ok(both.body.message.includes(`\`parameters.${member}`), both.body.message);
    assert.equal(await walletCount(service), 0);
  });
}

test('a member about signers refuses signatures and private keys', async (t) => {
  const service = await startTestService(tolerant);
  t.after(() => service.close());
  const cosignerPubkey = testKey('external').publicKey;
  const signed = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: 'x',
    payload: '00',
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_SHA256',
    cosignerPubkey,
  });
  const key = { privateKeyName: 'K', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] };
  const created = await service.submit(
    'create_private_keys',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    {
      privateKeys: [{ ...key, cosignerPubkey }],
    },
  );
  for (const answer of [signed, created]) {
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /unknown field `parameters\S*\.cosignerPubkey`/);
  }
});

test('a request has at most 20 unknown members', async (t) => {
  const service = await startTestService(tolerant);
  t.after(() => service.close());
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`colour${'Q'.repeat(i)}Z`, i]));
  const most = await createWallet(service, members(maximumUnknownMembers));
  assert.equal(most.status, 200, most.body.message);
  assert.equal(most.body.warnings.length, maximumUnknownMembers);
  assertRefused(await createWallet(service, members(maximumUnknownMembers + 1)), 400, 3);
});

test('a deployment may refuse all unknown members', async (t) => {
  const service = await startTestService({ deployment: { refusesUnknownMembers: true } });
  t.after(() => service.close());
  assertRefused(await createWallet(service, { colour: 'blue' }), 400, 3);
  assertRefused(await service.query('list_wallets', { colour: 'blue' }), 400, 3);
});
