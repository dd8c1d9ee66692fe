import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPathValue,
  type IndexEntry,
  indexEntriesOfHead,
  indexEntriesOfRecord,
  indexNames,
} from '../../../src/core/organization/indexes/indexes.ts';
import type { OrganizationHead, Records } from '../../../src/core/organization/model.ts';

const times = { createdAtMs: 1, updatedAtMs: 1 };
const parent = { organizationId: 'organization', parentId: undefined };
const child = { organizationId: 'organization', parentId: 'parent' };

type FoundKind =
  | 'user'
  | 'api_key'
  | 'authenticator'
  | 'oauth_provider'
  | 'wallet_account'
  | 'voted_activity'
  | 'send'
  | 'sent_nonce'
  | 'chain_transaction'
  | 'auth_proxy_config'
  | 'oauth2_credential';

const rows: Pick<Records, FoundKind> = {
  user: {
    id: 'u',
    name: 'Ada',
    email: 'Ada@Example.org',
    emailVerified: true,
    phoneNumber: '+4915112345678',
    phoneNumberVerified: true,
    tagIds: [],
    ...times,
  },
  api_key: {
    id: 'k',
    userId: 'u',
    name: 'key',
    publicKey: '02ABcd',
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    leads: 'proven',
    ...times,
  },
  authenticator: {
    id: 'h',
    userId: 'u',
    name: 'phone',
    credentialId: 'AbC-_',
    publicKey: 'pQEC',
    aaguid: 'AAAAAAAAAAAAAAAAAAAAAA',
    attestationType: 'none',
    model: 'phone',
    transports: [],
    rpIdHash: 'AA',
    leads: 'proven',
    ...times,
  },
  oauth_provider: {
    id: 'i',
    userId: 'u',
    name: 'provider',
    issuer: 'https://issuer.example',
    audience: 'app',
    subject: 'ada',
    leads: 'proven',
    ...times,
  },
  wallet_account: {
    id: 'a',
    walletId: 'w',
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    address: '0xAb',
    publicKey: '02',
    name: 'Savings',
    ...times,
  },
  voted_activity: { id: 'o', fingerprint: 'sha256:00', ...times },
  send: {
    id: 's',
    activityId: 'o',
    caip2: 'eip155:1',
    address: '0xab',
    nonce: '0',
    signedTransaction: '0x02',
    transactionHash: '0x00',
    status: 'INITIALIZED',
    step: 0,
    ...times,
  },
  sent_nonce: { id: 'n', caip2: 'eip155:1', address: '0xab', next: '1', ...times },
  chain_transaction: {
    id: 't',
    caip2: 'eip155:1',
    address: '0xab',
    addressBlind: '00',
    txHash: '0x00',
    block: { number: 7, hash: '0x07', timestampMs: 1 },
    from: '0xab',
    fee: '1',
    transfers: [],
    ...times,
  },
  oauth2_credential: {
    id: 'o',
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'client',
    encryptedClientSecret: '00AB',
    ...times,
  },
  auth_proxy_config: {
    id: 'c',
    userId: 'u',
    policyId: 'p',
    secret: '',
    publicKey: '02',
    settings: {},
    ...times,
  },
};

const own: Readonly<Record<FoundKind, readonly IndexEntry[]>> = {
  user: [],
  api_key: [],
  authenticator: [],
  oauth_provider: [],
  wallet_account: [
    { index: 'account_address', scope: 'organization', value: '0xAb' },
    { index: 'account_path', scope: 'organization', value: "w/m/44'/60'/0'/0/0" },
    { index: 'watched_address', scope: '', value: 'eip155:0xab' },
    { index: 'account_name', scope: 'organization', value: 'Savings' },
  ],
  voted_activity: [{ index: 'activity_fingerprint', scope: 'organization', value: 'sha256:00' }],
  send: [
    { index: 'unsettled_send', scope: '', value: 'eip155:1' },
    { index: 'sent_transaction', scope: 'organization', value: 'eip155:1/0x00' },
  ],
  sent_nonce: [{ index: 'sent_nonce', scope: 'organization', value: 'eip155:1/0xab' }],
  chain_transaction: [{ index: 'unfinal_transaction', scope: '', value: 'eip155:1/0x07' }],
  auth_proxy_config: [{ index: 'auth_proxy_config', scope: '', value: 'c' }],
  oauth2_credential: [{ index: 'oauth2_envelope', scope: '', value: '00ab' }],
};

const ofClaimed: readonly IndexEntry[] = [
  { index: 'child_claimed_email', scope: 'parent', value: 'ada@example.org' },
  { index: 'child_claimed_phone_number', scope: 'parent', value: '+4915112345678' },
];

const ofChild: Readonly<Record<FoundKind, readonly IndexEntry[]>> = {
  user: [
    { index: 'child_username', scope: 'parent', value: 'Ada' },
    { index: 'child_email', scope: 'parent', value: 'ada@example.org' },
    { index: 'child_phone_number', scope: 'parent', value: '+4915112345678' },
    { index: 'child_verified_email', scope: 'parent', value: 'ada@example.org' },
    { index: 'child_verified_phone_number', scope: 'parent', value: '+4915112345678' },
  ],
  api_key: [
    { index: 'child_public_key', scope: 'parent', value: '02abcd' },
    { index: 'child_proven_public_key', scope: 'parent', value: 'CURVE_P256/02abcd' },
  ],
  authenticator: [
    { index: 'child_credential_id', scope: 'parent', value: 'AbC-_' },
    { index: 'child_passkey', scope: 'parent', value: '["AbC-_","pQEC"]' },
    { index: 'child_proven_credential_id', scope: 'parent', value: 'AbC-_' },
  ],
  oauth_provider: [
    { index: 'child_identity', scope: 'parent', value: '["https://issuer.example","app","ada"]' },
    {
      index: 'child_proven_identity',
      scope: 'parent',
      value: '["https://issuer.example","app","ada"]',
    },
  ],
  wallet_account: [{ index: 'child_account_address', scope: 'parent', value: '0xAb' }],
  voted_activity: [],
  send: [],
  sent_nonce: [],
  chain_transaction: [],
  auth_proxy_config: [],
  oauth2_credential: [],
};

const foundKinds = Object.keys(rows) as readonly FoundKind[];

for (const kind of foundKinds) {
  test(`a ${kind} of a parent is found only within its organization`, () => {
    assert.deepEqual(indexEntriesOfRecord(kind, rows[kind], parent), own[kind]);
  });

  test(`a ${kind} of a child is found by its parent too`, () => {
    const entries = indexEntriesOfRecord(kind, rows[kind], child);
    assert.deepEqual(entries, [...own[kind], ...ofChild[kind]]);
  });
}

test('an unverified contact is not found as verified', () => {
  const { emailVerified: _, phoneNumberVerified: __, ...user } = rows.user;
  assert.deepEqual(indexEntriesOfRecord('user', user, child), ofChild.user.slice(0, 3));
});

test('a credential without a signature is found only as registered', () => {
  for (const [kind, count] of [
    ['api_key', 1],
    ['authenticator', 2],
    ['oauth_provider', 1],
  ] as const) {
    const { leads: _, ...row } = rows[kind];
    const entries = indexEntriesOfRecord(kind, row as Records[typeof kind], child);
    assert.deepEqual(entries, ofChild[kind].slice(0, count));
  }
});

test('a key that was registered as the only credential is found on its own curve', () => {
  for (const [type, curve] of [
    ['CREDENTIAL_TYPE_API_KEY_SECP256K1', 'CURVE_SECP256K1'],
    ['CREDENTIAL_TYPE_API_KEY_ED25519', 'CURVE_ED25519'],
    ['CREDENTIAL_TYPE_LOGIN', 'CURVE_P256'],
  ] as const) {
    const key = { ...rows.api_key, type, leads: 'alone' as const };
    assert.deepEqual(indexEntriesOfRecord('api_key', key, child)[1], {
      index: 'child_alone_public_key',
      scope: 'parent',
      value: `${curve}/02abcd`,
    });
  }
});

test('a contact that a stranger typed is found only among the claimed contacts', () => {
  const { emailVerified: _, phoneNumberVerified: __, ...user } = rows.user;
  const claimed = { ...user, emailClaimed: true, phoneNumberClaimed: true } as const;
  assert.deepEqual(indexEntriesOfRecord('user', claimed, child), [
    ...ofChild.user.slice(0, 1),
    ...ofClaimed,
  ]);
});

test('absent members are not found', () => {
  const { email: _, phoneNumber: __, ...user } = rows.user;
  assert.deepEqual(indexEntriesOfRecord('user', user, child), ofChild.user.slice(0, 1));
  const { name: ___, ...account } = rows.wallet_account;
  assert.deepEqual(
    indexEntriesOfRecord('wallet_account', account, parent),
    own.wallet_account.slice(0, 3),
  );
});

test('equal paths in two wallets are two values', () => {
  const path = 'm/0';
  assert.notEqual(
    accountPathValue({ walletId: 'one', path }),
    accountPathValue({ walletId: 'two', path }),
  );
});

test('a child is found by its name until it is deleted; a parent never is', () => {
  const head: OrganizationHead = {
    name: 'Child',
    rootQuorum: { threshold: 1, userIds: ['u'] },
    features: [],
    ...times,
  };
  const entry = { index: 'child_name', scope: 'parent', value: 'Child' };
  assert.deepEqual(indexEntriesOfHead(head, child), [entry]);
  assert.deepEqual(indexEntriesOfHead({ ...head, deletedAtMs: 2 }, child), []);
  assert.deepEqual(indexEntriesOfHead(head, parent), []);
});

test('every index has an entry', () => {
  const all = [...Object.values(own), ...Object.values(ofChild), ofClaimed];
  const named = all.flat().map(({ index }) => index);
  assert.deepEqual(
    new Set([...named, 'child_name', 'child_alone_public_key']),
    new Set(indexNames),
  );
});

test('a settled transaction has no entry of unsettled ones', () => {
  const entries = indexEntriesOfRecord('send', { ...rows.send, isSettled: true }, parent);
  assert.deepEqual(
    entries.map(({ index }) => index),
    ['sent_transaction'],
  );
});

test('a transaction in a final block has no entry of its block', () => {
  const row = { ...rows.chain_transaction, finalNumber: 1 };
  assert.deepEqual(indexEntriesOfRecord('chain_transaction', row, parent), []);
});
