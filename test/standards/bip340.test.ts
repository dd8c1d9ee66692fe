// Schnorr signatures of BIP-340, and the keys of BIP-341 outputs spent by them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { signSchnorr, tweakPrivateKey, tweakPublicKey } from '../../src/core/crypto/schnorr.ts';
import { secp256k1 } from '../../src/core/crypto/secp256k1.ts';
import { bytes, readVectors } from './vector_files.ts';

type Bip340Vector = {
  privateKey?: string | null;
  publicKey: string;
  auxRand?: string | null;
  message: string;
  signature: string;
  valid: boolean;
  comment?: string;
};
type Bip341Vector = {
  internalPrivateKey: string;
  internalPublicKey: string;
  merkleRoot: string | null;
  tweakedPrivateKey: string;
  outputKey?: string;
  sigHash: string;
  auxRand: string;
  signature: string;
};

const { schnorr } = readVectors<{
  schnorr: { bip340: Bip340Vector[]; bip341KeyPath: Bip341Vector[] };
}>('signing.json');

test('BIP-340 signatures are those of the vectors', () => {
  assert.equal(schnorr.bip340.length, 22);
  const signed = schnorr.bip340.filter(({ privateKey }) => privateKey);
  assert.equal(signed.length, 11);
  for (const { privateKey, auxRand, message, signature } of signed) {
    const { r, s, v } = signSchnorr(
      bytes(privateKey ?? ''),
      bytes(message),
      bytes(auxRand ?? '00'.repeat(32)),
    );
    assert.equal(hex(r) + hex(s), signature);
    assert.equal(v, 0);
  }
});

test('BIP-341 key path: tweaked keys and their signatures are those of the vectors', () => {
  assert.equal(schnorr.bip341KeyPath.length, 10);
  for (const vector of schnorr.bip341KeyPath) {
    const internal = bytes(vector.internalPrivateKey);
    const merkleRoot = bytes(vector.merkleRoot ?? '');
    const tweaked = tweakPrivateKey(internal, merkleRoot);
    assert.equal(hex(tweaked), vector.tweakedPrivateKey);

    const publicKey = secp256k1.publicKeyOf(internal);
    assert.equal(hex(publicKey.subarray(1)), vector.internalPublicKey);
    const outputKey = tweakPublicKey(publicKey, merkleRoot);
    assert(outputKey !== undefined);
    assert.equal(hex(outputKey), hex(secp256k1.publicKeyOf(tweaked).subarray(1)));
    if (vector.outputKey !== undefined) assert.equal(hex(outputKey), vector.outputKey);

    const { r, s } = signSchnorr(tweaked, bytes(vector.sigHash), bytes(vector.auxRand));
    assert(vector.signature.startsWith(hex(r) + hex(s)));
  }
});
