// AUTH-09: stamps of each scheme.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { concatBytes, utf8 } from '../../../src/core/base/bytes.ts';
import { stampSchemes } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { negateScalar, orders } from '../../../src/core/crypto/scalars.ts';
import { ecdsaSignatureOfDer } from '../../../src/core/crypto/signature_der.ts';
import { eip191Digest, stampVerifiers, verifyP256 } from '../../../src/core/crypto/verify.ts';

const signedBytes = {
  SIGNATURE_SCHEME_TK_API_P256: sha256,
  SIGNATURE_SCHEME_TK_API_SECP256K1: sha256,
  SIGNATURE_SCHEME_TK_API_ED25519: (message: Uint8Array) => message,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: eip191Digest,
};
const ordersOf = {
  CURVE_SECP256K1: orders.secp256k1,
  CURVE_P256: orders.p256,
  CURVE_ED25519: undefined,
};

test('every scheme has a verifier', () => {
  assert.deepEqual(namesOf(stampVerifiers), stampSchemes);
});

for (const scheme of stampSchemes) {
  const { curve, verify, verifyInPool } = stampVerifiers[scheme];
  const { isPrivateKey, publicKeyOf, sign } = curves[curve];
  const privateKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);
  const message = fc.uint8Array({ maxLength: 300 });

  /** Asserts that both verifiers give one answer for both forms of the signature, and returns it. */
  async function isAccepted(publicKey: Uint8Array, signature: Uint8Array, body: Uint8Array) {
    const halves = { r: signature.subarray(0, 32), s: signature.subarray(32) };
    const answer = verify(publicKey, signature, body);
    assert.equal(verify(publicKey, halves, body), answer);
    assert.equal(await verifyInPool(publicKey, signature, body), answer);
    assert.equal(await verifyInPool(publicKey, halves, body), answer);
    return answer;
  }

  test(`${scheme}: own signatures are accepted, and those of others or for other bodies refused`, () =>
    fc.assert(
      fc.asyncProperty(privateKey, message, fc.nat(63), async (key, body, place) => {
        const publicKey = publicKeyOf(key);
        const { r, s } = sign(key, signedBytes[scheme](body));
        const signature = concatBytes(r, s);
        assert(await isAccepted(publicKey, signature, body));
        assert(!(await isAccepted(publicKey, signature, concatBytes(body, Uint8Array.of(0)))));
        const changed = Uint8Array.from(signature);
        changed[place] = Number(changed[place]) ^ 1;
        assert(!(await isAccepted(publicKey, changed, body)));
        const other = publicKeyOf(sha256(key));
        assert(!(await isAccepted(other, signature, body)));
      }),
      { numRuns: 50 },
    ));

  test(`${scheme}: malformed keys and signatures are refused without an error`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 70 }),
        fc.uint8Array({ maxLength: 70 }),
        privateKey,
        message,
        async (anyKey, anySignature, key, body) => {
          assert(!(await isAccepted(anyKey, anySignature, body)));
          assert(!(await isAccepted(publicKeyOf(key), anySignature, body)));
          const { r, s } = sign(key, signedBytes[scheme](body));
          assert(!(await isAccepted(anyKey, concatBytes(r, s), body)));
          const longer = concatBytes(r, s, Uint8Array.of(0));
          assert(!(await isAccepted(publicKeyOf(key), longer, body)));
        },
      ),
      { numRuns: 50 },
    ));

  const order = ordersOf[curve];
  if (order === undefined) continue;

  test(`${scheme}: both halves of s are accepted, zero and the order are not`, async () => {
    const key = new Uint8Array(32).fill(7);
    const publicKey = publicKeyOf(key);
    const body = utf8('{"payload": "hello"}');
    const { r, s } = sign(key, signedBytes[scheme](body));
    assert(await isAccepted(publicKey, concatBytes(r, s), body));
    assert(await isAccepted(publicKey, concatBytes(r, negateScalar(s, order)), body));
    for (const none of [new Uint8Array(32), order, new Uint8Array(32).fill(0xff)]) {
      assert(!(await isAccepted(publicKey, concatBytes(r, none), body)));
      assert(!(await isAccepted(publicKey, concatBytes(none, s), body)));
    }
  });
}

test('a published stamp of another implementation verifies', () => {
  const publicKey = Uint8Array.fromHex(
    '0327a50032e6f0631d5605b6ada32b779074f346e81b68e12801640f1c9ee03dae',
  );
  const signature = ecdsaSignatureOfDer(
    Uint8Array.fromHex(
      '304402203623defd618eb3e219970496407ebe92447317dad75e412bd4a6267c3b5e2223' +
        '0220245b740848a72d08b60d6c84f339737b63db3bcbadb3bd0dcb1bfb865715d8b5',
    ),
  );
  assert(signature !== undefined);
  assert(verifyP256(publicKey, signature, utf8('{"payload": "hello from TKHQ"}')));
});

test('Ed25519 keys of small order are refused, though anybody can sign for them', async () => {
  const identity = new Uint8Array(32);
  identity[0] = 1;
  // R = identity and s = 0 satisfy the equation of RFC 8032 for every message.
  const signature = concatBytes(identity, new Uint8Array(32));
  const { verify, verifyInPool } = stampVerifiers.SIGNATURE_SCHEME_TK_API_ED25519;
  assert(!verify(identity, signature, utf8('anything')));
  assert(!(await verifyInPool(identity, signature, utf8('anything'))));
});
