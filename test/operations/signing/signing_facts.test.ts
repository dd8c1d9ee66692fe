// Policies see facts about the signing key: its wallet and account, or the private key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestKey, type TestService } from '../../support/harness.ts';
import { addPlainUser } from '../other_callers.ts';
import {
  described as describedKey,
  makePrivateKeys,
} from '../private_keys/private_key_requests.ts';
import { ethereumAccount, makeWallet } from '../wallets/wallet_requests.ts';

let service: TestService;
let plain: { readonly key: TestKey };
let policyId: string;
/** The signing keys by name: two accounts of one wallet, one of another, two private keys. */
let keys: Readonly<Record<string, string>>;
let walletId: string;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
  const wallet = await makeWallet(service, [ethereumAccount(), ethereumAccount(1)]);
  const other = await makeWallet(service, [ethereumAccount()]);
  const described = [describedKey(), describedKey({ privateKeyName: 'B' })];
  const [a = '', b = ''] = (await makePrivateKeys(service, described)).map(
    ({ privateKeyId }) => privateKeyId,
  );
  walletId = wallet.walletId;
  const [first = '', second = ''] = wallet.addresses;
  keys = { first, second, other: other.addresses[0] ?? '', a, b };
  const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const policy = { policyName: 'Grant', effect: 'EFFECT_ALLOW', condition: 'false', notes: '' };
  const { body } = await service.submit('create_policy', type, policy);
  policyId = body.activity.result.createPolicyResult.policyId;
});
after(() => service.close());

const conditions: readonly (readonly [
  what: string,
  condition: () => string,
  signers: readonly string[],
])[] = [
  ['the address of the account', () => `wallet_account.address == '${keys['first']}'`, ['first']],
  [
    'the address of another account',
    () => `wallet_account.address != '${keys['first']}'`,
    ['second', 'other'],
  ],
  ['the wallet of the account', () => `wallet.id == '${walletId}'`, ['first', 'second']],
  ['the label of the wallet', () => "wallet.label == 'Wallet'", ['first', 'second']],
  ['both', () => `wallet.id == '${walletId}' && wallet_account.address != ''`, ['first', 'second']],
  ['the private key', () => `private_key.id == '${keys['a']}'`, ['a']],
  ['another private key', () => `private_key.id != '${keys['a']}'`, ['b']],
];

for (const [what, condition, signers] of conditions) {
  test(`a policy on ${what} allows exactly the named key`, async () => {
    const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
    const changed = await service.submit('update_policy', type, {
      policyId,
      policyCondition: condition(),
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    for (const [name, signWith] of Object.entries(keys)) {
      const form = {
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      };
      const one = { signWith, payload: 'text', ...form };
      const many = { signWith, payloads: ['text', 'more'], ...form };
      const expected = signers.includes(name) ? 200 : 403;
      for (const [operation, version, parameters] of [
        ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', one],
        ['sign_raw_payloads', 'SIGN_RAW_PAYLOADS', many],
      ] as const) {
        const activityType = `ACTIVITY_TYPE_${version}`;
        const answer = await service.submit(operation, activityType, parameters, plain);
        assert.equal(
          answer.status,
          expected,
          `${operation} ${name}: ${JSON.stringify(answer.body)}`,
        );
      }
    }
  });
}
