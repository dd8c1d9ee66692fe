// Statements of the specification on the whole service, in one organization with everything in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesOfHex, concatBytes } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { byToken, knownIssuer } from '../operations/oauth_providers/oauth_provider_requests.ts';
import { startTestService, type TestService, testKey } from '../support/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
type Shown = any;

async function done(
  service: TestService,
  operation: string,
  type: string,
  parameters: object,
): Promise<Shown> {
  const answer = await service.submit(operation, type, parameters);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  return Object.values(answer.body.activity.result)[0];
}

test('SVC-02 AUTH-10: one organization with users, credentials of all kinds, wallets, keys, policies, features and webhooks', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const apiKey = {
    apiKeyName: 'Key',
    publicKey: testKey('user').publicKey,
    curveType: 'API_KEY_CURVE_P256',
  };
  await done(service, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: [
      {
        userName: 'Ada',
        apiKeys: [apiKey],
        authenticators: [describedPasskey('Phone')],
        oauthProviders: [byToken(service, knownIssuer(service), 'ada')],
        userTags: [],
      },
    ],
  });
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: 'm/0',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const wallet = { walletName: 'Wallet', accounts: [account] };
  await done(service, 'create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  await done(service, 'create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Key',
        curve: 'CURVE_ED25519',
        addressFormats: ['ADDRESS_FORMAT_SOLANA'],
        privateKeyTags: [],
      },
    ],
  });
  await done(service, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Policy',
    effect: 'EFFECT_ALLOW',
    consensus: 'true',
    notes: '',
  });
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://receiver.example/' };
  await done(
    service,
    'set_organization_feature',
    'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
    feature,
  );
  await done(service, 'create_webhook_endpoint', 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
    url: 'https://receiver.example/hook',
    name: 'Ledger',
  });

  const { users } = (await service.query('list_users')).body;
  const ada = users.find(({ userName }: { userName: string }) => userName === 'Ada');
  for (const kind of ['apiKeys', 'authenticators', 'oauthProviders']) {
    assert.equal(ada[kind].length, 1, kind);
  }
  const [phone] = ada.authenticators;
  assert.equal(phone.credential.type, 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR');
  const lists = {
    list_wallets: 'wallets',
    list_private_keys: 'privateKeys',
    list_policies: 'policies',
    list_webhook_endpoints: 'webhookEndpoints',
  };
  for (const [operation, member] of Object.entries(lists)) {
    assert.equal((await service.query(operation)).body[member].length, 1, operation);
  }
  const { configs } = (await service.query('get_organization_configs')).body;
  assert.deepEqual(configs.features, [feature]);
});

// SVC-03, RES-WALLET-ACCOUNT-10
test('it signs with the key that an account’s public key says', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: 'm/0',
    addressFormat: 'ADDRESS_FORMAT_COMPRESSED',
  };
  const wallet = { walletName: 'Wallet', accounts: [account] };
  const { addresses } = await done(service, 'create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
  const [address] = addresses;
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const { r, s } = await done(service, 'sign_raw_payload', type, {
    signWith: address,
    payload: 'payload',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  });
  const bytes = (text: string) => bytesOfHex(text) ?? new Uint8Array();
  const digest = sha256(new TextEncoder().encode('payload'));
  const signature = concatBytes(bytes(r), bytes(s));
  const verify = (of: Uint8Array) =>
    secp256k1.verify(signature, of, bytes(address), { prehash: false });
  assert.ok(verify(digest));
  assert.ok(!verify(sha256(digest)));
});
