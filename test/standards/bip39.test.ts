// BIP-39 with English words, and the keys below its seeds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { hex, textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { derivePrivateKey, effectivePath } from '../../src/core/derivation/derive.ts';
import {
  entropyOfMnemonic,
  mnemonicOfEntropy,
  seedOfEntropy,
  seedOfMnemonic,
} from '../../src/core/derivation/mnemonic.ts';
import { canonicalPath, parsePath } from '../../src/core/derivation/path.ts';
import { bytes, readVectors } from './vector_files.ts';

type Bip39Vector = {
  words: number;
  entropy: string;
  mnemonic: string;
  passphrase: string;
  seed: string;
  bip32RootKey: string;
};
type KeyVector = {
  mnemonic: string;
  bip39Passphrase: string;
  path: string;
  privateKey: string;
  publicKey: string;
};

const { bip39, mnemonicToKey, ed25519UnhardenedPaths } = readVectors<{
  bip39: {
    published: Bip39Vector[];
    computed: Bip39Vector[];
    invalid: { mnemonic: string; reason: string }[];
  };
  mnemonicToKey: (KeyVector & {
    curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256';
    publicKeyUncompressed: string | null;
  })[];
  ed25519UnhardenedPaths: { vectors: (KeyVector & { effectivePath: string })[] };
}>('derivation.json');

// SIGNUP-36, LIM-04
test('entropy, mnemonics of every length and seeds are those of the vectors', () => {
  const vectors = [...bip39.published, ...bip39.computed];
  assert.deepEqual(new Set(vectors.map(({ words }) => words)), new Set([12, 15, 18, 21, 24]));
  for (const { entropy, mnemonic, passphrase, seed, bip32RootKey } of vectors) {
    assert.equal(textOfUtf8(mnemonicOfEntropy(bytes(entropy))), mnemonic);
    assert.deepEqual(entropyOfMnemonic(utf8(mnemonic)), bytes(entropy));
    const ours = seedOfMnemonic(utf8(mnemonic), utf8(passphrase));
    assert.deepEqual(ours, bytes(seed));
    assert.equal(HDKey.fromMasterSeed(bytes(seed)).privateExtendedKey, bip32RootKey);
    if (passphrase === '') assert.deepEqual(seedOfEntropy(bytes(entropy)), ours);
  }
});

test('invalid mnemonics are refused', () => {
  assert.equal(bip39.invalid.length, 7);
  for (const { mnemonic, reason } of bip39.invalid) {
    assert.equal(entropyOfMnemonic(utf8(mnemonic)), undefined, reason);
    assert.equal(seedOfMnemonic(utf8(mnemonic)), undefined, reason);
  }
});

// RES-WALLET-ACCOUNT-05
test('keys below a mnemonic are those of the vectors on every curve', () => {
  assert.equal(mnemonicToKey.length, 117);
  for (const { curve, publicKey, publicKeyUncompressed, ...vector } of mnemonicToKey) {
    const privateKey = keyOf(curve, vector, vector.path);
    assert.equal(hex(privateKey), vector.privateKey);
    assert.equal(hex(curves[curve].publicKeyOf(privateKey)), publicKey);
    if (publicKeyUncompressed === null) continue;
    assert.equal(hex(curves[curve].uncompressed(bytes(publicKey))), publicKeyUncompressed);
  }
});

test('Ed25519 hardens every segment whatever its spelling', () => {
  assert.equal(ed25519UnhardenedPaths.vectors.length, 21);
  for (const vector of ed25519UnhardenedPaths.vectors) {
    const soft = parsePath(vector.path);
    assert(soft !== undefined);
    assert.equal(canonicalPath(effectivePath('CURVE_ED25519', soft)), vector.effectivePath);
    for (const path of [vector.path, vector.effectivePath]) {
      const privateKey = keyOf('CURVE_ED25519', vector, path);
      assert.equal(hex(privateKey), vector.privateKey);
      assert.equal(hex(curves.CURVE_ED25519.publicKeyOf(privateKey)), vector.publicKey);
    }
  }
});

function keyOf(
  curve: 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256',
  { mnemonic, bip39Passphrase }: { mnemonic: string; bip39Passphrase: string },
  path: string,
): Uint8Array {
  const seed = seedOfMnemonic(utf8(mnemonic), utf8(bip39Passphrase));
  const segments = parsePath(path);
  assert(seed !== undefined && segments !== undefined);
  return derivePrivateKey(curve, seed, segments);
}
