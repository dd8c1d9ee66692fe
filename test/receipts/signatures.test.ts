// Signatures of receipts: platforms with and without native code accept the same signatures.

import assert from 'node:assert/strict';
import { verify as nativeVerify } from 'node:crypto';
import { mock, test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { verifyEd25519, verifyP256 } from '../../src/receipts/signatures.ts';
import { bytes } from '../standards/vector_files.ts';
import { checkAll, readWycheproof, type WycheproofTest } from '../standards/wycheproof_files.ts';

type Signed = WycheproofTest & { msg: string; sig: string };
type EcdsaGroup = { publicKey: { uncompressed: string }; tests: Signed[] };
type Ed25519Group = { publicKey: { pk: string }; tests: Signed[] };

const message = new TextEncoder().encode('a signed text');

function on(builtin: object | undefined, verify: () => boolean): boolean {
  const mocked = mock.method(process, 'getBuiltinModule', () => builtin);
  try {
    return verify();
  } finally {
    mocked.mock.restore();
  }
}

/** Returns the answer of both platforms, and true if native code confirmed it. */
function answerOf(verify: () => boolean) {
  let isConfirmed = false;
  const counted = (...given: readonly unknown[]) => {
    isConfirmed = Reflect.apply(nativeVerify, undefined, given);
    return isConfirmed;
  };
  const isValid = on({ verify: counted }, verify);
  assert.equal(isValid, on(undefined, verify));
  return { isValid, isConfirmed };
}

/** Returns the answer, for a valid signature only if native code confirmed it. */
function confirmed(verify: () => boolean): boolean {
  const { isValid, isConfirmed } = answerOf(verify);
  assert.equal(isConfirmed, isValid);
  return isValid;
}

for (const [name, format] of [
  ['ecdsa_secp256r1_sha256', 'der'],
  ['ecdsa_secp256r1_sha256_p1363', 'compact'],
] as const) {
  test(`both platforms answer as ${name} of Wycheproof`, () => {
    const file = readWycheproof<EcdsaGroup>(name);
    checkAll<EcdsaGroup, Signed>(file, [], ({ publicKey }, { msg, sig }) => {
      const key = bytes(publicKey.uncompressed);
      const short = p256.Point.fromBytes(key).toBytes(true);
      const verify = (of: Uint8Array) => () => verifyP256(bytes(sig), bytes(msg), of, format);
      const isValid = confirmed(verify(key));
      assert.equal(confirmed(verify(short)), isValid);
      return isValid;
    });
  });
}

test('both platforms answer as ed25519 of Wycheproof', () => {
  checkAll<Ed25519Group, Signed>(readWycheproof('ed25519'), [], ({ publicKey }, { msg, sig }) =>
    confirmed(() => verifyEd25519(bytes(sig), bytes(msg), bytes(publicKey.pk))),
  );
});

test('both platforms accept both halves of s, and reject malformed keys of P-256', () => {
  const secret = p256.utils.randomSecretKey();
  const key = p256.getPublicKey(secret, false);
  const { r, s } = p256.Signature.fromBytes(p256.sign(message, secret));
  for (const other of [s, p256.Point.Fn.ORDER - s]) {
    const signature = new p256.Signature(r, other).toBytes('compact');
    assert.ok(confirmed(() => verifyP256(signature, message, key)));
    const short = signature.subarray(1);
    assert.ok(!confirmed(() => verifyP256(short, message, key)));
    const offCurve = key.with(64, (key[64] ?? 0) ^ 1);
    const hybrid = key.with(0, 6 + ((key[64] ?? 0) & 1));
    for (const malformed of [offCurve, hybrid, Uint8Array.of(0), key.subarray(1)]) {
      assert.ok(!confirmed(() => verifyP256(signature, message, malformed)));
    }
  }
});

test('both platforms reject keys of small order, and unreduced encodings of them', () => {
  const identity = ed25519.Point.ZERO.toBytes();
  const ofOrderTwo = ed25519.Point.fromAffine({ x: 0n, y: ed25519.Point.Fp.ORDER - 1n }).toBytes();
  const unreduced = Uint8Array.fromHex(`ee${'ff'.repeat(30)}7f`);
  const signature = new Uint8Array(64);
  signature.set(identity);
  for (const publicKey of [identity, ofOrderTwo, unreduced]) {
    assert.ok(!confirmed(() => verifyEd25519(signature, message, publicKey)));
  }
});

test('both platforms accept a signature that the equation with the cofactor holds for', () => {
  const { Point } = ed25519;
  const { Fn } = Point;
  const ofOrderTwo = Point.fromAffine({ x: 0n, y: Point.Fp.ORDER - 1n });
  const secret = 1234567n;
  const nonce = 7654321n;
  const key = Point.BASE.multiply(secret).add(ofOrderTwo).toBytes();
  const first = Point.BASE.multiply(nonce).toBytes();
  const answers = Array.from({ length: 8 }, (_, i) => {
    const text = Uint8Array.of(i);
    const digest = sha512(Uint8Array.from([...first, ...key, ...text])).toReversed();
    const s = Fn.create(nonce + Fn.create(BigInt(`0x${digest.toHex()}`)) * secret);
    const signature = Uint8Array.from([...first, ...Fn.toBytes(s)]);
    return answerOf(() => verifyEd25519(signature, text, key));
  });
  assert.ok(answers.every(({ isValid }) => isValid));
  assert.ok(answers.some(({ isConfirmed }) => !isConfirmed));
});
