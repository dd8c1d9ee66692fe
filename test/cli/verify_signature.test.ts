// Documents of signatures that other people made: a signature over other bytes than the document shows is
// never verified.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { objectIn } from '../../src/cli/output/verified.ts';
import { verifySignature } from '../../src/cli/signing/verify_signature.ts';

const curves = { 'ECDSA-secp256k1': secp256k1, 'ECDSA-P256': p256 } as const;
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Returns a document of `sign payload` over a digest. */
function documentOf(algorithm: keyof typeof curves, digest: Uint8Array) {
  const curve = curves[algorithm];
  const secret = curve.utils.randomSecretKey();
  const signature = curve.sign(digest, secret, { prehash: false, format: 'recovered' });
  return {
    standard: 'payload',
    algorithm,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
    payload: digest.toHex(),
    publicKey: curve.getPublicKey(secret).toHex(),
    r: signature.slice(1, 33).toHex(),
    s: signature.slice(33).toHex(),
    v: `0${signature[0]}`,
  };
}

for (const algorithm of ['ECDSA-secp256k1', 'ECDSA-P256'] as const) {
  test(`${algorithm}: a digest with further bytes, or without its leading zero, is not verified`, async () => {
    // ECDSA reads the first 32 bytes of longer digests, and shorter ones as the same number.
    const digest = new Uint8Array(32).fill(7, 1);
    const document = documentOf(algorithm, digest);
    assert.equal((await verifySignature(document)).verified, true);
    const payloads = [
      `${document.payload}${utf8('pay a million').toHex()}`,
      document.payload.slice(2),
      `00${document.payload}`,
      '',
    ];
    for (const payload of payloads) {
      assert.equal((await verifySignature({ ...document, payload })).verified, false, payload);
    }
  });
}

test('a text with half a character is not verified by the signature of its replacement', async () => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8('a\ufffd')));
  const document = {
    ...documentOf('ECDSA-P256', digest),
    hashFunction: 'HASH_FUNCTION_SHA256',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    payload: 'a\ufffd',
  };
  assert.equal((await verifySignature(document)).verified, true);
  assert.equal((await verifySignature({ ...document, payload: 'a\ud800' })).verified, false);
});

test('a document that repeats a member is refused, because readers may show the other value', () => {
  const twice = utf8('{"message":"I owe you 1","signature":"","message":"Hello"}');
  const nested = utf8('{"a":[{"b":1,"\\u0062":2}]}');
  for (const bytes of [twice, nested]) {
    assert.throws(() => objectIn(bytes, 'a.json', 'a document'), /repeats the member/);
  }
  assert.deepEqual(objectIn(utf8('{"a":{"b":1},"b":2}'), 'a.json', 'a document'), {
    a: { b: 1 },
    b: 2,
  });
});
