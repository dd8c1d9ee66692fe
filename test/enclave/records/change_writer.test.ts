// The stored rows of a change: index entries that stay, are added and are deleted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import type { DraftChanges } from '../../../src/core/organization/changes.ts';
import type { IndexName } from '../../../src/core/organization/indexes/indexes.ts';
import type { OrganizationHead, User } from '../../../src/core/organization/model.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import {
  createChangeWriter,
  type LoadedOrganization,
} from '../../../src/enclave/records/change_writer.ts';
import type { StoredLookup } from '../../../src/store/port.ts';
import { testRootKey } from '../../support/harness.ts';
import { codecOf } from '../hostile_world.ts';

const id = 'child';
const parentId = 'parent';
const keys = createRootKeys(testRootKey());
const writer = createChangeWriter({ codec: codecOf('change writer'), keys, level: 1 });

const head: OrganizationHead = {
  name: 'Shop',
  rootQuorum: { threshold: 1, userIds: ['ann'] },
  features: [],
  createdAtMs: 1,
  updatedAtMs: 1,
};
const userOf = (userId: string, name: string): User => ({
  id: userId,
  name,
  tagIds: [],
  createdAtMs: 1,
  updatedAtMs: 1,
});
const ann = userOf('ann', 'Ann');
const bob = userOf('bob', 'Bob');

const entry = (recordId: string, index: IndexName, value: string) => ({
  recordId,
  blind: hex(keys.blind(index, parentId, value)),
});
const plain = (lookups: readonly StoredLookup[]) =>
  lookups.map(({ recordId, blind }) => ({ recordId, blind: hex(blind) }));

function createdWith(...users: readonly User[]) {
  const records = users.map((user) => ({
    kind: 'user' as const,
    id: user.id,
    before: undefined,
    after: user,
  }));
  return writer.writeNew({ id, parentId, head, changes: { head, records } });
}

function changed(before: LoadedOrganization, changes: Partial<DraftChanges>) {
  return writer.write(before, { head: undefined, records: [], ...changes });
}

const change = (before: User, after: User | undefined) => ({
  kind: 'user' as const,
  id: before.id,
  before,
  after,
});

test('a new organization is found by its name, and its users by theirs', () => {
  const { rows } = createdWith(ann, bob);
  assert.deepEqual(plain(rows.lookups), [
    entry('ann', 'child_username', 'Ann'),
    entry('bob', 'child_username', 'Bob'),
    entry(id, 'child_name', 'Shop'),
  ]);
  assert.deepEqual(rows.deletedLookups, []);
});

test('a renamed user is no longer found by the old name', () => {
  const { rows } = changed(createdWith(ann, bob).after, {
    records: [change(ann, { ...ann, name: 'Anna' })],
  });
  assert.deepEqual(plain(rows.deletedLookups), [entry('ann', 'child_username', 'Ann')]);
  assert.deepEqual(plain(rows.lookups), [entry('ann', 'child_username', 'Anna')]);
});

test('an unchanged entry of a changed record is neither removed nor written', () => {
  const known = { ...ann, email: 'ann@example.com' };
  const { rows } = changed(createdWith(known).after, {
    records: [change(known, { ...known, email: 'anna@example.com' })],
  });
  assert.deepEqual(plain(rows.deletedLookups), [entry('ann', 'child_email', 'ann@example.com')]);
  assert.deepEqual(plain(rows.lookups), [entry('ann', 'child_email', 'anna@example.com')]);
});

test('two users who exchange their names lose and get one entry each', () => {
  const { rows } = changed(createdWith(ann, bob).after, {
    records: [change(ann, { ...ann, name: 'Bob' }), change(bob, { ...bob, name: 'Ann' })],
  });
  assert.deepEqual(plain(rows.deletedLookups), [
    entry('ann', 'child_username', 'Ann'),
    entry('bob', 'child_username', 'Bob'),
  ]);
  assert.deepEqual(plain(rows.lookups), [
    entry('ann', 'child_username', 'Bob'),
    entry('bob', 'child_username', 'Ann'),
  ]);
});

test('a deleted user is not found, and the row is deleted', () => {
  const { rows, after } = changed(createdWith(ann, bob).after, {
    records: [change(bob, undefined)],
  });
  assert.deepEqual(plain(rows.deletedLookups), [entry('bob', 'child_username', 'Bob')]);
  assert.deepEqual(plain(rows.lookups), []);
  assert.deepEqual(rows.deletedRecords, [{ organizationId: id, kind: 'user', id: 'bob' }]);
  assert.deepEqual(rows.records, []);
  assert.deepEqual([...after.marks.keys()], ['user/ann']);
});

test('a renamed organization is no longer found by its old name', () => {
  const { rows } = changed(createdWith(ann).after, { head: { ...head, name: 'Store' } });
  assert.deepEqual(plain(rows.deletedLookups), [entry(id, 'child_name', 'Shop')]);
  assert.deepEqual(plain(rows.lookups), [entry(id, 'child_name', 'Store')]);
});

test('a change without a new head changes no entry of the organization', () => {
  const { rows } = changed(createdWith(ann).after, {
    records: [change(ann, { ...ann, updatedAtMs: 2 })],
  });
  assert.deepEqual([rows.lookups, rows.deletedLookups], [[], []]);
});

test('an empty change writes nothing, and keeps the version', () => {
  const before = createdWith(ann).after;
  const { rows, after } = changed(before, {});
  assert.equal(after, before);
  for (const written of Object.values(rows)) assert.deepEqual(written, []);
});

test('the bytes of small rows are counted when they are added, changed and removed', () => {
  const one = createdWith(ann).after.bytes;
  const both = createdWith(ann, bob).after;
  const longer = changed(both, { records: [change(ann, { ...ann, name: 'Annabel' })] }).after;
  assert.equal(longer.bytes, both.bytes + 'abel'.length);
  assert.equal(changed(both, { records: [change(bob, undefined)] }).after.bytes, one);
});
