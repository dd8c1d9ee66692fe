import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  PrivateKey,
  User,
  Wallet,
  WalletAccount,
} from '../../../../src/core/organization/model.ts';
import type { Vote } from '../../../../src/core/organization/records/activity.ts';
import { readTypedData } from '../../../../src/core/payload/eip712.ts';
import type { Facts } from '../../../../src/core/policy/decision/access.ts';
import { kindOf } from '../../../../src/core/policy/decision/activity_kind.ts';
import {
  conditionKey,
  conditionScopes,
  voterAsGiven,
  voterWith,
} from '../../../../src/core/policy/decision/facts.ts';
import { compileClause } from '../../../../src/core/policy/language/clause.ts';
import { credentialOfContact } from '../../../../src/core/users/credentials.ts';

const times = { createdAtMs: 1, updatedAtMs: 1 };
const wallet: Wallet = {
  id: 'w',
  name: 'Wallet',
  secret: 'x',
  exported: false,
  imported: false,
  deletedAccountIds: [],
  ...times,
};
const privateKey: PrivateKey = {
  id: 'k',
  name: 'Key',
  curve: 'CURVE_P256',
  publicKey: '02',
  secret: 'x',
  addresses: [],
  tagIds: ['t'],
  exported: false,
  imported: false,
  ...times,
};
const walletAccount: WalletAccount = {
  id: 'a',
  walletId: 'w',
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  address: '0xAb',
  publicKey: '02',
  ...times,
};
const signing = {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
} as const;
const wallets = {
  type: 'ACTIVITY_TYPE_DELETE_WALLETS',
  subject: { resource: 'WALLET', action: 'DELETE' },
} as const;

test('a kind is the type without its prefix and version', () => {
  assert.equal(kindOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'), 'SIGN_RAW_PAYLOAD');
  assert.equal(kindOf('ACTIVITY_TYPE_ETH_UNDELEGATE_7702'), 'ETH_UNDELEGATE_7702');
  assert.equal(kindOf('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'), 'CREATE_SUB_ORGANIZATION');
});

test('different scopes have different keys, and equal scopes the same key', () => {
  const situations: readonly Facts[] = [
    {},
    { params: { encoding: 'a' } },
    { params: { encoding: 'b' } },
    { params: { encoding: 'a', hash_function: 'h' } },
    { params: { user_ids: ['a', 'b'] } },
    { params: { user_ids: ['a,b'] } },
    { wallet },
    { wallet: { ...wallet, name: 'Other' } },
    { wallet: { ...wallet, exported: true } },
    { wallet, walletAccount },
    { wallet, walletAccount: { ...walletAccount, address: '0xCd' } },
    { wallets: [wallet] },
    { wallets: [] },
    { wallets: [wallet, wallet] },
    { privateKey },
    { privateKey: { ...privateKey, tagIds: [] } },
    { parts: [{ signer: { privateKey } }] },
    { parts: [{ signer: { privateKey: { ...privateKey, id: 'other' } } }] },
    { parts: [{ signer: { wallet } }, { signer: { wallet, walletAccount } }] },
    { parts: [{ signer: { wallet } }, { signer: { privateKey } }] },
  ];
  const keys = [signing, wallets].flatMap((activity) =>
    situations.map((facts) => conditionKey(activity, facts)),
  );
  assert.ok(keys.every((key) => key !== undefined));
  assert.equal(new Set(keys).size, keys.length);
  // A signer of a part has a separate scope.
  const withoutSigners = situations.filter(({ parts }) => parts === undefined);
  const scopes = [signing, wallets].flatMap((activity) =>
    withoutSigners.map((facts) => JSON.stringify(conditionScopes(activity, facts))),
  );
  assert.equal(new Set(scopes).size, scopes.length);
  // A fact that no condition reads does not affect the key.
  const renamed = { wallet: { ...wallet, secret: 'y', updatedAtMs: 9 } };
  assert.equal(conditionKey(signing, renamed), conditionKey(signing, { wallet }));
  assert.deepEqual(conditionScopes(signing, renamed), conditionScopes(signing, { wallet }));
});

test('facts of a signed payload have no cache key, and are read each time', () => {
  const authorization = { address: new Uint8Array(20), chainId: 1n, nonce: 2n };
  assert.equal(conditionKey(signing, { wallet, parts: [{ authorization }] }), undefined);
  assert.equal(conditionKey(signing, { params: { otp_length: 6n } }), undefined);
  assert.notEqual(conditionKey(signing, { wallet, parts: [{}] }), undefined);
});

test('a request that signs nothing readable has one key for any parameters', () => {
  for (const facts of [{ wallet }, { parts: [{ signer: { wallet } }] }]) {
    const [first, second] = ['a', 'b'].map((contents) => conditionKey(signing, facts, contents));
    assert.notEqual(first, undefined);
    assert.equal(first, second);
    assert.equal(first, conditionKey(signing, facts));
  }
});

test('a part without facts gets no scope of its own', () => {
  const facts = { transaction: { eth: { tx: { nonce: 1n } } } };
  const ofSigner = { signer: { wallet: { ...wallet, id: 'other' } } };
  const namesOf = (parts: NonNullable<Facts['parts']>) =>
    conditionScopes(signing, { wallet, parts }).map(({ wallet: read, eth }) => ({ read, eth }));
  const read = { id: 'w', imported: false, exported: false, label: 'Wallet' };
  assert.deepEqual(namesOf([]), [{ read, eth: undefined }]);
  assert.deepEqual(namesOf([{}, ofSigner]), [{ read, eth: undefined }]);
  assert.deepEqual(namesOf([{}, facts, ofSigner]), [{ read, eth: facts.transaction.eth }]);
});

test('an authorization is read by its members', () => {
  const authorization = { address: new Uint8Array(20).fill(0xab), chainId: 5n, nonce: 2n };
  const [scope] = conditionScopes(signing, { parts: [{ authorization }] });
  assert(scope !== undefined);
  for (const text of [
    `eth.eip_7702_authorization.address == '0x${'AB'.repeat(20)}'`,
    'eth.eip_7702_authorization.chain_id == 5',
    'eth.eip_7702_authorization.nonce == 2',
  ]) {
    assert.deepEqual(compileClause('condition', text).evaluate(scope), { value: true }, text);
  }
});

test('an account shows its derivation only on its export, which has no key', () => {
  const activity = {
    type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
    subject: { resource: 'WALLET', action: 'EXPORT' },
  } as const;
  const facts = { wallet, walletAccount: { ...walletAccount, path: "m/44'/0" } };
  assert.equal(conditionKey(activity, facts), undefined);
  assert.notEqual(conditionKey(activity, { wallet }), undefined);
  assert.deepEqual(
    conditionScopes(activity, facts).map((scope) => scope['wallet_account']),
    [
      {
        address: '0xAb',
        path_indexes: [44n, 0n],
        path_hardened: [true, false],
        wallet_id: 'w',
        curve: 'CURVE_SECP256K1',
        address_format: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  );
  assert.deepEqual(
    conditionScopes(signing, facts).map((scope) => scope['wallet_account']),
    [{ address: '0xAb' }],
  );
});

test('facts of a waiting transaction have a key for each possible transaction', () => {
  const transaction = { eth: { tx: { nonce: 1n } } };
  const situations: readonly Facts[] = [
    { wallet, parts: [{ transaction, signedDigest: () => 'a' }] },
    { wallet, parts: [{ transaction, signedDigest: () => 'b' }] },
    { wallet, parts: [{ transaction, signedDigest: () => 'a', interfaces: ['0x01 a'] }] },
    { wallet, parts: [{ transaction, signedDigest: () => 'a', interfaces: ['0x02 a'] }] },
  ];
  const keys = situations.map((facts) => conditionKey(signing, facts, 'contents'));
  assert.equal(new Set(keys).size, keys.length);
});

test('typed data are read by their type, their domain and their members', () => {
  const typedData = readTypedData(
    JSON.stringify({
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Order: [
          { name: 'to', type: 'address' },
          { name: 'amount', type: 'uint256' },
          { name: 'note', type: 'string' },
          { name: 'isFinal', type: 'bool' },
          { name: 'data', type: 'bytes' },
          { name: 'tags', type: 'string[]' },
        ],
      },
      primaryType: 'Order',
      domain: { name: 'Exchange', chainId: 5 },
      message: {
        to: `0x${'ab'.repeat(20)}`,
        amount: 7,
        note: 'first',
        isFinal: true,
        data: '0x0102',
        tags: ['a', 'b'],
      },
    }),
    'payload',
  );
  const [scope] = conditionScopes(signing, { parts: [{ typedData }] });
  assert(scope !== undefined);
  const holds = (text: string) => compileClause('condition', text).evaluate(scope);
  for (const text of [
    "eth.eip_712.primary_type == 'Order'",
    "eth.eip_712.domain.name == 'Exchange'",
    "eth.eip_712.domain.version == ''",
    'eth.eip_712.domain.chain_id == 5',
    "eth.eip_712.domain.verifying_contract == ''",
    `eth.eip_712.message['to'] == '0x${'AB'.repeat(20)}'`,
    "eth.eip_712.message['amount'] == 7",
    "eth.eip_712.message['note'] == 'first'",
    "eth.eip_712.message['isFinal'] == true",
    "eth.eip_712.message['data'] == '0x0102'",
    "eth.eip_712.message['tags'][1] == 'b'",
  ]) {
    assert.deepEqual(holds(text), { value: true }, text);
  }
});

test('each secret is a part of its own, with its properties', () => {
  const activity = {
    type: 'ACTIVITY_TYPE_EXPORT_SECRETS',
    subject: { resource: 'SECRET', action: 'EXPORT' },
  } as const;
  const secretOf = (value: string) => ({
    secret: { id: 's', staticProperties: [{ key: '__proto__', value }], ...times },
  });
  const parts = [secretOf('a'), secretOf('b')];
  assert.equal(conditionKey(activity, { parts }), undefined);
  assert.deepEqual(
    conditionScopes(activity, { parts }).map(({ secret }) => secret),
    ['a', 'b'].map((value) => ({ static_properties: new Map([['__proto__', value]]) })),
  );
});

test('an address that a stranger typed does not identify a user for policies', () => {
  const user: User = { id: 'u', name: 'Mallory', email: 'Alice@example.com', tagIds: [], ...times };
  const emailOf = (voter: User) => {
    const credential = credentialOfContact({ ...user, emailVerified: true }, 'OTP_TYPE_EMAIL', '');
    assert(credential !== undefined);
    return voterWith(voter, credential).user['email'];
  };
  assert.equal(emailOf(user), 'Alice@example.com');
  assert.equal(emailOf({ ...user, emailClaimed: true }), '');
});

describe('a voter is shown at the time of the vote', () => {
  const credentialsOf = (credentialId: string) =>
    voterAsGiven(voteWith(credentialId))?.credentials.map((facts) => ({ ...facts }));
  const common = { user_id: 'u' };

  test('the voter has the credential of the vote', () => {
    const passkey = { type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', public_key: 'a5' };
    assert.deepEqual(credentialsOf('k'), [
      {
        ...common,
        id: 'k',
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        public_key: '02',
        credential_id: '',
      },
    ]);
    assert.deepEqual(credentialsOf('a'), [
      { ...common, id: 'a', ...passkey, credential_id: 'raw' },
    ]);
    const session = { public_key: '03', credential_id: '' };
    assert.deepEqual(credentialsOf('p'), [
      { ...common, id: 'p', type: 'CREDENTIAL_TYPE_OAUTH_KEY_P256', ...session },
    ]);
    assert.deepEqual(credentialsOf('OTP_TYPE_EMAIL:someone@example.com'), [
      {
        ...common,
        id: 'OTP_TYPE_EMAIL:someone@example.com',
        type: 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256',
        ...session,
      },
    ]);
  });

  test('the voter has the address that counted at that time', () => {
    const emailOf = (vote: Vote) => voterAsGiven(vote)?.user['email'];
    const vote = voteWith('k');
    assert.equal(emailOf(vote), 'somebody@example.com');
    assert.equal(emailOf({ ...vote, emailClaimed: true }), '');
    const { userEmail: _userEmail, ...user } = vote.user;
    assert.equal(emailOf({ ...vote, user }), '');
  });

  test('the voter is unknown if facts do not name the credential', () =>
    assert.equal(credentialsOf('gone'), undefined));
});

function voteWith(credentialId: string): Vote {
  const apiKey = { type: 'CREDENTIAL_TYPE_API_KEY_P256', publicKey: '02' } as const;
  const passkey = { type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', publicKey: 'a5' } as const;
  return {
    id: 'v',
    userId: 'u',
    selection: 'VOTE_SELECTION_APPROVED',
    message: '',
    createdAtMs: 1,
    publicKey: '03',
    signature: '',
    scheme: '',
    credentialId,
    user: {
      userId: 'u',
      userName: 'Somebody',
      userEmail: 'somebody@example.com',
      userTags: [],
      apiKeys: [{ apiKeyId: 'k', credential: apiKey }],
      authenticators: [{ authenticatorId: 'a', credentialId: 'raw', credential: passkey }],
      oauthProviders: [{ providerId: 'p' }, { providerId: 'other' }],
    } as unknown as Vote['user'],
  };
}
