// Ed25519: RFC 8032 section 7.1 and more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { verifyEd25519, verifyEd25519InPool } from '../../src/core/crypto/verify.ts';
import { bytes, readVectors } from './vector_files.ts';

type Ed25519Vector = {
  privateKey: string;
  publicKey: string;
  messageHex: string;
  signature: string;
  r: string;
  s: string;
  v: string;
};

const { ed25519: vectors } = readVectors<{ ed25519: Ed25519Vector[] }>('signing.json');

test('keys and signatures are those of the vectors', async () => {
  const { publicKeyOf, sign } = curves.CURVE_ED25519;
  assert.equal(vectors.length, 11);
  for (const { privateKey, publicKey, messageHex, signature, r, s, v } of vectors) {
    const signed = sign(bytes(privateKey), bytes(messageHex));
    assert.equal(hex(publicKeyOf(bytes(privateKey))), publicKey);
    assert.equal(hex(signed.r), r);
    assert.equal(hex(signed.s), s);
    assert.equal(`0${signed.v}`, v);
    assert(verifyEd25519(bytes(publicKey), bytes(signature), bytes(messageHex)));
    assert(await verifyEd25519InPool(bytes(publicKey), signed, bytes(messageHex)));
  }
});
