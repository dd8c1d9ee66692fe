// The digest by which a migration creates only reviewed rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../src/cli/migration/plan.ts';
import { sourceDigest } from '../../src/cli/migration/source_digest.ts';
import type { OrganizationState } from '../../src/cli/migration/state.ts';

const empty: OrganizationState = {
  organizationId: 'target',
  users: [],
  userTags: [],
  policies: [],
  wallets: [],
  privateKeys: [],
  privateKeyTags: [],
  rootQuorum: { threshold: 1, userIds: [] },
  endpoints: [],
  left: [],
};

const source = {
  ...empty,
  organizationId: 'source',
  users: [
    {
      id: 'ann',
      name: 'ann',
      email: 'ann@example.com',
      phone: '+15550100',
      tags: ['ops'],
      keys: [
        {
          apiKeyName: 'laptop',
          publicKey: '02aa',
          curveType: 'API_KEY_CURVE_P256',
          expiresAtMs: undefined,
        },
      ],
      passkeys: 0,
      identities: 0,
    },
  ],
  userTags: [{ id: 'tag', name: 'ops' }],
  endpoints: [{ id: 'hook', name: 'hook', url: 'https://a.example', subscriptions: [] }],
  wallets: [
    {
      id: 'wallet',
      name: 'shop',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: 'm/0',
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
          address: '0xaa',
          publicKey: '02bb',
          name: 'payroll',
        },
      ],
    },
  ],
} as unknown as OrganizationState;

/** Returns copies of a value in each of which one text differs. */
function withOtherTexts(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value}0`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    withOtherTexts(member).map((other) =>
      Array.isArray(value)
        ? value.map((each, i) => (String(i) === name ? other : each))
        : { ...value, [name]: other },
    ),
  );
}

/** Returns the requests of a run on an empty organization. */
const requestsOf = (state: OrganizationState) => {
  const bundle = (step: 'exported') => ({ step, bundle: 'sealed' }) as const;
  const transfers = {
    userId: 'ann',
    bySource: new Map(state.wallets.map(({ id }) => [id, bundle('exported')])),
    free: { wallet: [], 'private key': [] },
  };
  const target = { ...empty, userTags: [{ id: 'there', name: 'ops' }] };
  const children = { sourceChildren: [], targetChildren: [] };
  const input = { source: state, target, ...children, transfers, waiting: new Map(), nowMs: 0 };
  return JSON.stringify(planOf(input).map(({ creation, move }) => [creation, move]));
};

test('each text that a run would send is part of the reviewed digest', () => {
  const digest = sourceDigest(source, []);
  const sent = requestsOf(source);
  const changed = withOtherTexts(source) as readonly OrganizationState[];
  const others = changed.filter((other) => requestsOf(other) !== sent);
  assert(others.length >= 14, `${others.length} of ${changed.length} texts are sent`);
  for (const other of others) {
    assert.notEqual(sourceDigest(other, []), digest, JSON.stringify(other));
  }
});
