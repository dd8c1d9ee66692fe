// Policies of a migration that name users, whom both organizations know by name only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../src/cli/migration/plan.ts';
import type { OrganizationState, UserState } from '../../src/cli/migration/state.ts';

const key = (digits: string) => ({
  apiKeyName: 'laptop',
  publicKey: `02${digits.repeat(32)}`,
  curveType: 'API_KEY_CURVE_P256',
  expiresAtMs: undefined,
});

const idOf = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000001`;

const alice = (id: string, ...keys: readonly string[]): UserState => ({
  id: idOf(id),
  name: 'Alice',
  email: undefined,
  phone: undefined,
  tags: [],
  keys: keys.map(key),
  passkeys: 0,
  identities: 0,
});

const organization = (id: string, user: UserState): OrganizationState => ({
  organizationId: idOf(id),
  users: [user],
  userTags: [],
  policies: [],
  wallets: [],
  privateKeys: [],
  privateKeyTags: [],
  rootQuorum: { threshold: 1, userIds: [user.id] },
  endpoints: [],
  left: [],
});

function policyRow(source: UserState, target: UserState) {
  const policy = {
    policyId: idOf('9'),
    id: idOf('9'),
    policyName: 'Alice signs',
    name: 'Alice signs',
    effect: 'EFFECT_ALLOW',
    condition: '',
    consensus: `approvers.any(user, user.id == '${source.id}')`,
    time: '',
    notes: '',
  } as const;
  const plan = planOf({
    source: { ...organization('a', source), policies: [policy] },
    target: organization('b', target),
    sourceChildren: [],
    targetChildren: [],
    transfers: undefined,
    waiting: new Map(),
    nowMs: 0,
  });
  return plan.find(({ kind }) => kind === 'policy');
}

test('a policy goes to the user of the target that has the keys of the source', () => {
  const row = policyRow(alice('1', 'aa'), alice('2', 'aa', 'bb'));
  assert.equal(row?.state, 'create');
  assert.match(JSON.stringify(row?.creation), new RegExp(idOf('2')));
});

test('a policy does not go to another person of the same name', () => {
  const row = policyRow(alice('1', 'aa'), alice('2', 'bb'));
  assert.deepEqual(row, {
    kind: 'policy',
    name: 'Alice signs',
    state: 'by hand',
    note: 'names the user Alice, who has other keys in the target: compare them first',
  });
});
