import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex } from '../../../src/core/base/bytes.ts';
import { createRootKeys, type KeyPurpose, keyBytes } from '../../../src/enclave/keys/root_keys.ts';
import { seededRandom } from '../../support/harness.ts';

const purposes: readonly KeyPurpose[] = ['seal', 'wrap', 'blind_index', 'completeness'];
const rootKey = (name = 'root') => seededRandom(name)(keyBytes);
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

test('a derived key is HKDF-SHA-256 of the root key under its name', () => {
  const keys = createRootKeys(rootKey());
  const info = 'keywright/v1/seal/organization';
  const expected = new Uint8Array(hkdfSync('sha256', rootKey(), '', info, keyBytes));
  assert.deepEqual(keys.key('seal', 'organization'), expected);
});

test('keys differ by purpose, by organization and by root key', () => {
  const all: string[] = [];
  for (const name of ['one root', 'another root']) {
    const keys = createRootKeys(rootKey(name));
    for (const purpose of purposes) {
      for (const organization of ['', 'a', 'b', '01900000-0000-7000-8000-000000000000']) {
        const key = keys.key(purpose, organization);
        assert.equal(key.length, keyBytes);
        assert.equal(hex(key), hex(keys.key(purpose, organization)), 'the same each time');
        all.push(hex(key));
      }
    }
  }
  assert.equal(new Set(all).size, all.length);
});

test('a value is found under a hash of index, scope and value together', () => {
  const keys = createRootKeys(rootKey());
  const part = fc.string({ maxLength: 4 }).map((text) => text.replaceAll('\0', ''));
  const entry = fc.tuple(part, part, fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(entry, entry, (a, b) => {
      const blindA = hex(keys.blind(...a));
      const blindB = hex(keys.blind(...b));
      assert.equal(blindA.length, 64);
      assert.equal(
        blindA === blindB,
        a.every((text, i) => text === b[i]),
      );
    }),
    { numRuns: 500 },
  );
  const other = createRootKeys(rootKey('other'));
  assert.notEqual(hex(keys.blind('i', 's', 'v')), hex(other.blind('i', 's', 'v')));
});

test('closing overwrites the root key and every key derived from it', () => {
  const root = rootKey();
  const keys = createRootKeys(root);
  const derived = purposes.map((purpose) => keys.key(purpose, 'organization'));
  assert.ok(![root, ...derived].some(isZero));
  keys.close();
  assert.ok([root, ...derived].every(isZero));
});

test('closed keys return nothing, not even those of a root key of zeros', () => {
  const keys = createRootKeys(rootKey());
  keys.close();
  assert.throws(() => keys.key('seal', 'organization'), /closed/);
  assert.throws(() => keys.blind('index', 'scope', 'value'), /closed/);
  keys.close();
});

test('an evicted derived key is overwritten', () => {
  const keys = createRootKeys(rootKey());
  const first = keys.key('seal', 'first');
  const text = hex(first);
  const used = keys.key('seal', 'used');
  for (let i = 0; i < 4096; i += 1) {
    keys.key('seal', `other ${i}`);
    keys.key('seal', 'used');
  }
  assert.ok(isZero(first), 'the one unused for longest');
  assert.ok(!isZero(used));
  assert.equal(hex(keys.key('seal', 'first')), text, 'it is derived again');
});
