// ECDSA with the nonce of RFC 6979 and low s, on both curves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { verifySecp256k1Digest } from '../../src/core/crypto/secp256k1.ts';
import { derOfEcdsaSignature, ecdsaSignatureOfDer } from '../../src/core/crypto/signature_der.ts';
import { eip191Digest, verifyEip191, verifyP256 } from '../../src/core/crypto/verify.ts';
import { bytes, readVectors } from './vector_files.ts';

type Numbers = { r: string; s: string; v: string };
type EcdsaVector = Numbers & {
  curve: 'CURVE_SECP256K1' | 'CURVE_P256';
  privateKey: string;
  publicKey: string;
  messageUtf8?: string;
  hashFunction: string;
  digest: string;
  withoutLowS?: Numbers;
  der: string;
};
type Eip191Vector = Numbers & {
  privateKey: string;
  messageUtf8?: string;
  prefixedMessageHex: string;
  digest: string;
};

const { ecdsa, eip191 } = readVectors<{ ecdsa: EcdsaVector[]; eip191: Eip191Vector[] }>(
  'signing.json',
);

const concatenated = ({ r, s }: Numbers) => bytes(r + s);

test('signatures, recovery bits and DER are those of the vectors', () => {
  assert.equal(ecdsa.length, 42);
  for (const { curve, privateKey, publicKey, digest, r, s, v, der } of ecdsa) {
    const signature = curves[curve].sign(bytes(privateKey), bytes(digest));
    assert.equal(hex(curves[curve].publicKeyOf(bytes(privateKey))), publicKey);
    assert.equal(hex(signature.r), r);
    assert.equal(hex(signature.s), s);
    assert.equal(`0${signature.v}`, v);
    assert.equal(hex(derOfEcdsaSignature(signature)), der);
    assert.deepEqual(ecdsaSignatureOfDer(bytes(der)), { r: bytes(r), s: bytes(s) });
  }
});

test('secp256k1 signatures verify over their digest', () => {
  const vectors = ecdsa.filter(({ curve }) => curve === 'CURVE_SECP256K1');
  assert(vectors.length > 0);
  for (const vector of vectors) {
    const [publicKey, digest] = [bytes(vector.publicKey), bytes(vector.digest)];
    assert(verifySecp256k1Digest(publicKey, concatenated(vector), digest));
  }
});

test('P-256 signatures verify with the s of RFC 6979 and with the low one', () => {
  const vectors = ecdsa.filter(
    ({ curve, hashFunction, messageUtf8 }) =>
      curve === 'CURVE_P256' &&
      hashFunction === 'HASH_FUNCTION_SHA256' &&
      messageUtf8 !== undefined,
  );
  assert(vectors.some(({ withoutLowS, s }) => withoutLowS !== undefined && withoutLowS.s !== s));
  for (const vector of vectors) {
    const [publicKey, message] = [bytes(vector.publicKey), utf8(vector.messageUtf8 ?? '')];
    assert(verifyP256(publicKey, concatenated(vector), message));
    if (vector.withoutLowS === undefined) continue;
    assert(verifyP256(publicKey, concatenated(vector.withoutLowS), message));
  }
});

test('personal messages of EIP-191 have the digest and signature of the vectors', () => {
  const { sign, publicKeyOf } = curves.CURVE_SECP256K1;
  const messages = eip191.map((vector) => ({ vector, message: messageOf(vector) }));
  assert.equal(messages.length, 7);
  for (const { vector, message } of messages) {
    const privateKey = bytes(vector.privateKey);
    const signature = sign(privateKey, eip191Digest(message));
    assert.equal(hex(eip191Digest(message)), vector.digest);
    assert.equal(hex(signature.r) + hex(signature.s), vector.r + vector.s);
    assert.equal(`0${signature.v}`, vector.v);
    assert(verifyEip191(publicKeyOf(privateKey), signature, message));
    assert(!verifyEip191(publicKeyOf(privateKey), signature, utf8('another message')));
  }
});

function messageOf({ prefixedMessageHex }: Eip191Vector): Uint8Array {
  const prefixed = bytes(prefixedMessageHex);
  const start = utf8('\x19Ethereum Signed Message:\n').length;
  for (let digits = 1; start + digits <= prefixed.length; digits += 1) {
    const message = prefixed.subarray(start + digits);
    const length = new TextDecoder().decode(prefixed.subarray(start, start + digits));
    if (length === `${message.length}`) return message;
  }
  return assert.fail('the prefix tells the length of the message');
}
