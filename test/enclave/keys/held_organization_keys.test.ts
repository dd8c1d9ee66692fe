import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldOrganizationKeys } from '../../../src/enclave/keys/held_organization_keys.ts';

const mark = { id: 'key', seals: 1 };
const organization = (id: string, parentId?: string) => ({ id, parentId });
const isWiped = (key: Uint8Array): boolean => key.every((byte) => byte === 0);

test('a key is returned only for the state with which it was stored', () => {
  const held = createHeldOrganizationKeys();
  const key = new Uint8Array(32).fill(1);
  held.hold(organization('shop'), mark, key);
  assert.equal(held.key('shop', mark), key);
  for (const other of [
    { id: 'key', seals: 0 },
    { id: 'key', seals: 2 },
    { id: 'another', seals: 1 },
  ]) {
    assert.equal(held.key('shop', other), undefined);
  }
  assert.equal(held.key('market', mark), undefined);
});

test('a key is wiped by another state, by another key, and when it is evicted', () => {
  const wiped: string[] = [];
  const held = createHeldOrganizationKeys((id) => wiped.push(id), 2);
  const keys = Array.from({ length: 6 }, () => new Uint8Array(32).fill(1));
  const [sealed, deleted, replaced, kept, evicted, last] = keys;
  assert(sealed && deleted && replaced && kept && evicted && last);
  held.hold(organization('shop'), mark, sealed);
  held.follow('shop', mark);
  assert.equal(isWiped(sealed), false);
  held.follow('shop', { id: 'key', seals: 2 });
  assert.equal(isWiped(sealed), true);
  held.hold(organization('shop'), mark, deleted);
  held.follow('shop', undefined);
  assert.equal(isWiped(deleted), true);
  assert.deepEqual(wiped, ['shop', 'shop']);
  held.follow('shop', undefined);
  assert.deepEqual(wiped, ['shop', 'shop']);
  held.hold(organization('shop'), mark, replaced);
  held.hold(organization('shop'), mark, kept);
  assert.equal(isWiped(replaced), true);
  assert.equal(isWiped(kept), false);
  held.hold(organization('one'), mark, evicted);
  held.hold(organization('two'), mark, last);
  assert.deepEqual([kept, evicted, last].map(isWiped), [true, false, false]);
  assert.deepEqual(wiped, ['shop', 'shop', 'shop', 'shop']);
});

test('the family with the most keys loses one, so many sub-organizations seal no other family', () => {
  const held = createHeldOrganizationKeys(undefined, 4);
  const isHeld = (id: string) => held.key(id, mark) !== undefined;
  const hold = (id: string, parentId?: string) =>
    held.hold(organization(id, parentId), mark, new Uint8Array(32).fill(1));
  hold('bank');
  hold('parent');
  for (let i = 0; i < 20; i += 1) hold(`child ${i}`, 'parent');
  hold('child of bank', 'bank');
  assert.deepEqual(['bank', 'parent', 'child of bank', 'child 19'].map(isHeld), [
    true,
    true,
    true,
    true,
  ]);
  assert.deepEqual(['child 0', 'child 17', 'child 18'].map(isHeld), [false, false, false]);
});
