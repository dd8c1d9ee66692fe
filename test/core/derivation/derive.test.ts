import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex } from '../../../src/core/base/bytes.ts';
import { type CurveName, curveNames } from '../../../src/core/base/enums.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { derivePrivateKey, effectivePath } from '../../../src/core/derivation/derive.ts';
import { parsePath, pathIndexLimit } from '../../../src/core/derivation/path.ts';

const path = fc.array(fc.record({ index: fc.nat(pathIndexLimit), hardened: fc.boolean() }), {
  maxLength: 5,
});
const seed = fc.uint8Array({ minLength: 16, maxLength: 64 });

for (const curve of curveNames) {
  test(`${curve}: a derived key is a valid private key, and depends only on the input`, () => {
    fc.assert(
      fc.property(seed, path, (bytes, segments) => {
        const before = Uint8Array.from(bytes);
        const key = derivePrivateKey(curve, bytes, segments);
        assert(curves[curve].isPrivateKey(key));
        assert.deepEqual(derivePrivateKey(curve, bytes, segments), key);
        assert.deepEqual(bytes, before);
        assert.equal(key.buffer.byteLength, 32);
      }),
      { numRuns: 50 },
    );
  });

  test(`${curve}: one effective path is one key`, () => {
    fc.assert(
      fc.property(seed, path, (bytes, segments) => {
        const key = derivePrivateKey(curve, bytes, segments);
        assert.deepEqual(derivePrivateKey(curve, bytes, effectivePath(curve, segments)), key);
      }),
      { numRuns: 50 },
    );
  });

  test(`${curve}: seeds shorter than 16 or longer than 64 bytes are internal errors`, () => {
    for (const length of [0, 15, 65]) {
      assert.throws(() => derivePrivateKey(curve, new Uint8Array(length), []), /16 to 64 bytes/);
    }
  });
}

test('soft and hardened segments differ, except on Ed25519', () => {
  for (const curve of curveNames) {
    const isSame = keyAt(curve, 'm/0') === keyAt(curve, "m/0'");
    assert.equal(isSame, curve === 'CURVE_ED25519');
  }
});

function keyAt(curve: CurveName, text: string): string {
  const segments = parsePath(text);
  assert(segments !== undefined);
  return hex(derivePrivateKey(curve, new Uint8Array(32).fill(7), segments));
}
