// Lists the changes that a concurrent signature must not ignore. Every kind declares it, and an undeclared
// change guards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordChange } from '../../../src/core/organization/changes.ts';
import { kindRows, raisesGuard, smallKinds } from '../../../src/core/organization/kinds.ts';
import type { OrganizationHead, RecordKind } from '../../../src/core/organization/model.ts';

// A new row is a decision about every signature, made in kinds.ts and repeated here.
const never = [
  'activity_snapshot',
  'archived_activities',
  'chain_transaction',
  'email_event',
  'gas_usage',
  'open_activity',
  'otp_code',
  'send',
  'sender',
  'sent_nonce',
  'used_token',
  'voted_activity',
  'voter',
];
const unlessNew = ['api_key', 'wallet', 'wallet_account'];
const kinds = Object.keys(kindRows) as RecordKind[];

const row = { id: 'row' } as unknown as NonNullable<RecordChange['after']>;
const added = (kind: RecordKind) => ({ kind, id: 'row', before: undefined, after: row });
const changed = (kind: RecordKind) => ({ kind, id: 'row', before: row, after: row });
const removed = (kind: RecordKind) => ({ kind, id: 'row', before: row, after: undefined });
const raisedBy = (...records: RecordChange[]) => raisesGuard({ head: undefined, records });

test('every kind declares if it guards', () => {
  for (const kind of smallKinds) assert.ok(kinds.includes(kind), kind);
  const large = kinds.filter((kind) => !(smallKinds as readonly string[]).includes(kind));
  assert.deepEqual(large.toSorted(), [
    'activity_snapshot',
    'archived_activities',
    'chain_transaction',
    'contract_interface_text',
    'email_event',
    'policy_set',
    'secret_text',
    'send',
    'sent_nonce',
    'voted_activity',
    'voter',
    'wallet_account',
  ]);
  assert.deepEqual(kinds.filter((kind) => kindRows[kind].guarding === 'never').toSorted(), never);
  const asChanged = kinds.filter((kind) => kindRows[kind].guarding === 'unless_new');
  assert.deepEqual(asChanged.toSorted(), unlessNew);
});

test('a changed or removed row guards, except for kinds that no signature reads', () => {
  for (const kind of kinds) {
    const guards = !never.includes(kind);
    assert.equal(raisedBy(changed(kind)), guards, kind);
    assert.equal(raisedBy(removed(kind)), guards, kind);
    assert.equal(raisedBy(added(kind)), guards && !unlessNew.includes(kind), kind);
  }
});

test('one guarding change among others suffices', () => {
  const quiet = [added('wallet_account'), removed('open_activity'), added('api_key')];
  assert.equal(raisedBy(...quiet), false);
  for (const kind of ['policy', 'user', 'velocity_counter'] as const) {
    assert.equal(raisedBy(...quiet, removed(kind)), true);
    assert.equal(raisedBy(added(kind), ...quiet), true);
  }
});

test('the head guards, and so does an unknown kind', () => {
  const head: OrganizationHead = {
    name: 'Any',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 1,
    updatedAtMs: 1,
  };
  assert.equal(raisesGuard({ head, records: [] }), true);
  assert.equal(raisesGuard({ head: undefined, records: [] }), false);
  for (const kind of ['a kind of tomorrow', 'constructor', '__proto__']) {
    assert.equal(raisedBy(added(kind as RecordKind)), true, kind);
    assert.equal(raisedBy(removed(kind as RecordKind)), true, kind);
  }
});
