import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldOrganizationKeys } from '../../../src/enclave/keys/held_organization_keys.ts';

const mark = { id: 'key', seals: 1 };
const isWiped = (key: Uint8Array): boolean => key.every((byte) => byte === 0);

test('a key is returned only for the mark with which it was stored', () => {
  const held = createHeldOrganizationKeys();
  const key = new Uint8Array(32).fill(1);
  held.hold('shop', mark, key);
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

test('a key is wiped after a state with another mark, after another key, and on eviction', () => {
  const held = createHeldOrganizationKeys(2);
  const keys = Array.from({ length: 6 }, () => new Uint8Array(32).fill(1));
  const [sealed, deleted, replaced, kept, evicted, last] = keys;
  assert(sealed && deleted && replaced && kept && evicted && last);
  held.hold('shop', mark, sealed);
  assert.equal(held.follow('shop', mark), false);
  assert.equal(isWiped(sealed), false);
  assert.equal(held.follow('shop', { id: 'key', seals: 2 }), true);
  assert.equal(isWiped(sealed), true);
  held.hold('shop', mark, deleted);
  assert.equal(held.follow('shop', undefined), true);
  assert.equal(isWiped(deleted), true);
  assert.equal(held.follow('shop', undefined), false);
  held.hold('shop', mark, replaced);
  held.hold('shop', mark, kept);
  assert.equal(isWiped(replaced), true);
  assert.equal(isWiped(kept), false);
  held.hold('one', mark, evicted);
  held.hold('two', mark, last);
  assert.deepEqual([kept, evicted, last].map(isWiped), [true, false, false]);
});
