import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { open, seal, sealTextInSteps, sealWithNonce } from '../../../src/core/crypto/aead.ts';

const inputs = fc.record({
  key: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  nonce: fc.uint8Array({ minLength: 12, maxLength: 12 }),
  plaintext: fc.uint8Array({ maxLength: 200 }),
  associatedData: fc.uint8Array({ maxLength: 50 }),
});
const runs = { numRuns: 200 };

test('sealed bytes open', () => {
  fc.assert(
    fc.property(inputs, ({ key, nonce, plaintext, associatedData }) => {
      const sealed = seal(key, nonce, plaintext, associatedData);
      assert.equal(sealed.length, plaintext.length + 16);
      assert.deepEqual(open(key, nonce, sealed, associatedData), plaintext);
    }),
    runs,
  );
});

test('a long text is sealed in steps to the same bytes, even if its key is wiped meanwhile', () => {
  const key = new Uint8Array(32).fill(1);
  const nonce = new Uint8Array(12).fill(2);
  const header = Uint8Array.of(3, 4);
  const place = Uint8Array.of(5);
  for (const length of [0, 1, 512 * 1024, 1_500_000]) {
    const text = '\u20acab'.repeat(length / 4);
    const whole = sealWithNonce(key, nonce, text, place, header);
    const given = Uint8Array.from(key);
    const steps = sealTextInSteps(given, nonce, text, place, header);
    let next = steps.next();
    given.fill(0);
    for (; next.done !== true; ) next = steps.next();
    assert.deepEqual(next.value, whole);
  }
});

test('sealed bytes with a flipped bit do not open', () => {
  const bit = fc.tuple(fc.nat(), fc.nat(7));
  fc.assert(
    fc.property(inputs, bit, ({ key, nonce, plaintext, associatedData }, [place, position]) => {
      const flipped = (bytes: Uint8Array) => {
        const copy = Uint8Array.from(bytes);
        const index = place % bytes.length;
        copy[index] = Number(copy[index]) ^ (1 << position);
        return copy;
      };
      const sealed = seal(key, nonce, plaintext, associatedData);
      assert.equal(open(key, nonce, flipped(sealed), associatedData), undefined);
      assert.equal(open(flipped(key), nonce, sealed, associatedData), undefined);
      assert.equal(open(key, flipped(nonce), sealed, associatedData), undefined);
      const more = concatBytes(associatedData, Uint8Array.of(0));
      assert.equal(open(key, nonce, sealed, more), undefined);
      assert.equal(open(key, nonce, sealed, flipped(more)), undefined);
    }),
    runs,
  );
});

test('fewer bytes than a tag are not sealed bytes', () => {
  const [key, nonce] = [new Uint8Array(32), new Uint8Array(12)];
  for (let length = 0; length < 16; length += 1) {
    assert.equal(open(key, nonce, new Uint8Array(length), new Uint8Array(0)), undefined);
  }
});

test('a key and a nonce of another size are refused, sealing and opening', () => {
  const [key, nonce, none] = [new Uint8Array(32), new Uint8Array(12), new Uint8Array(0)];
  const sealed = seal(key, nonce, none, none);
  // GCM accepts nonces of any size, but derives another value from them.
  for (const length of [0, 11, 13, 16]) {
    const other = new Uint8Array(length);
    assert.throws(() => seal(key, other, none, none), /nonce has 12 bytes/);
    assert.throws(() => open(key, other, sealed, none), /nonce has 12 bytes/);
  }
  for (const length of [16, 31, 33]) {
    const other = new Uint8Array(length);
    assert.throws(() => seal(other, nonce, none, none), /key has 32 bytes/);
    assert.throws(() => open(other, nonce, sealed, none), /key has 32 bytes/);
  }
});

test('the plaintext has its own memory, so it can be wiped', () => {
  const [key, nonce, none] = [new Uint8Array(32), new Uint8Array(12), new Uint8Array(0)];
  const plaintext = open(key, nonce, seal(key, nonce, new Uint8Array(32).fill(7), none), none);
  assert.equal(Object.getPrototypeOf(plaintext), Uint8Array.prototype);
  assert.equal(plaintext?.buffer.byteLength, 32);
});
