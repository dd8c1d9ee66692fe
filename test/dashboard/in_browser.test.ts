// The browser replacement of Node's cryptography gives the same results as the enclave's.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as pageCurves from '../../dashboard/in_browser/curves.ts';
import * as pageHashes from '../../dashboard/in_browser/hashes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import * as hashes from '../../src/core/crypto/hashes.ts';
import { uncompressedPoint } from '../../src/core/crypto/p256.ts';
import { addToPublicKey, recoverSecp256k1 } from '../../src/core/crypto/secp256k1.ts';

/** Returns pseudorandom bytes for a number, the same in every run. */
const drawn = (seed: number, length = 32): Uint8Array =>
  Uint8Array.from(
    createHash('shake256', { outputLength: length }).update(`drawn ${seed}`).digest(),
  );
const seeds = Array.from({ length: 40 }, (_, i) => i);

test('hashes are equal', () => {
  const [page, own] = [{ ...pageHashes }, { ...hashes }];
  for (const name of Object.keys(page) as (keyof typeof page)[]) {
    for (const length of [0, 1, 31, 64, 135, 136, 137, 1_000]) {
      const message = drawn(length, length);
      assert.deepEqual(page[name](message), own[name](message), `${name} of ${length}`);
    }
  }
});

test('public keys are read, rejected and written equally', () => {
  const pairs = [
    [curves.CURVE_SECP256K1, pageCurves.secp256k1],
    [curves.CURVE_P256, pageCurves.p256],
    [curves.CURVE_ED25519, pageCurves.ed25519],
  ] as const;
  for (const [own, page] of pairs) {
    for (const seed of seeds) {
      const key = own.publicKeyOf(drawn(seed));
      const long = own.uncompressed(key);
      assert.deepEqual(page.uncompressed(key), long);
      // About half of the random bytes after a valid first byte encode no point.
      const tried = drawn(seed, own.publicKeyBytes);
      if (own.publicKeyBytes === 33) tried[0] = 2 + (seed % 2);
      const hybrid = Uint8Array.from(long);
      hybrid[0] = 6;
      for (const bytes of [key, long, tried, hybrid, key.subarray(1), new Uint8Array(33)]) {
        assert.equal(page.isPublicKey(bytes), own.isPublicKey(bytes));
        assert.deepEqual(page.parsePublicKey(bytes), own.parsePublicKey(bytes));
      }
      assert.deepEqual(pageCurves.uncompressedPoint(long), uncompressedPoint(long));
    }
    assert.throws(() => page.sign(drawn(1), drawn(2)), /no private key/);
  }
});

test('keys are recovered and tweaked equally', () => {
  const { publicKeyOf, sign } = curves.CURVE_SECP256K1;
  for (const seed of seeds) {
    const [privateKey, digest] = [drawn(seed), drawn(seed + 1_000)];
    const { r, s, v } = sign(privateKey, digest);
    const signature = Uint8Array.from([...r, ...s]);
    const other = v === 0 ? 1 : 0;
    assert.deepEqual(pageCurves.recoverSecp256k1(digest, signature, v), publicKeyOf(privateKey));
    assert.deepEqual(
      pageCurves.recoverSecp256k1(digest, signature, other),
      recoverSecp256k1(digest, signature, other),
    );
    const key = publicKeyOf(privateKey);
    for (const tweak of [digest, new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
      assert.deepEqual(pageCurves.addToPublicKey(key, tweak), addToPublicKey(key, tweak));
    }
  }
  const broken = new Uint8Array(64).fill(0xff);
  assert.equal(
    pageCurves.recoverSecp256k1(drawn(1), broken, 0),
    recoverSecp256k1(drawn(1), broken, 0),
  );
});
