// BIP-32 on secp256k1: every node of the vectors, extended keys included.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { concatBytes, hex } from '../../src/core/base/bytes.ts';
import { ripemd160, sha256 } from '../../src/core/crypto/hashes.ts';
import { secp256k1 } from '../../src/core/crypto/secp256k1.ts';
import { bip32Child, bip32Master, bytesOfIndex } from '../../src/core/derivation/bip32.ts';
import { derivePrivateKey } from '../../src/core/derivation/derive.ts';
import { canonicalPath, type PathSegment, parsePath } from '../../src/core/derivation/path.ts';
import { bytes, readVectors } from './vector_files.ts';

type Node = {
  path: string;
  chainCode: string;
  privateKey: string;
  publicKey: string;
  xprv?: string;
  xpub?: string;
};
type Section = { seed: string; curve?: string; chains: Node[] };

const vectors = readVectors<{
  bip32: { published: Section[]; computed: Section[] };
  slip10: { published: Section[]; computed: Section[] };
}>('derivation.json');

const versions = { xprv: bytes('0488ade4'), xpub: bytes('0488b21e') };

const sections = {
  'BIP-32': [...vectors.bip32.published, ...vectors.bip32.computed],
  'SLIP-0010': [...vectors.slip10.published, ...vectors.slip10.computed].filter(
    ({ curve }) => curve === 'secp256k1',
  ),
};

for (const [standard, chains] of Object.entries(sections)) {
  test(`keys of ${standard} on secp256k1`, () => {
    assert(chains.length > 0);
    for (const { seed, chains: nodes } of chains) {
      for (const node of nodes) checkNode(bytes(seed), node);
    }
  });
}

test('random paths give the keys of @scure/bip32', () => {
  const seed = fc.uint8Array({ minLength: 16, maxLength: 64 });
  const segment = fc.record({ index: fc.nat(2 ** 31 - 1), hardened: fc.boolean() });
  fc.assert(
    fc.property(seed, fc.array(segment, { maxLength: 4 }), (seedBytes, path) => {
      const theirs = HDKey.fromMasterSeed(seedBytes).derive(canonicalPath(path)).privateKey;
      assert.deepEqual(derivePrivateKey('CURVE_SECP256K1', seedBytes, path), theirs);
    }),
    { numRuns: 100 },
  );
});

function checkNode(seed: Uint8Array, node: Node): void {
  const path = parsePath(node.path);
  assert(path !== undefined);
  const key = path.reduce(bip32Child, bip32Master(seed));
  assert.equal(hex(key.privateKey), node.privateKey);
  assert.equal(hex(key.chainCode), node.chainCode);
  assert.equal(hex(secp256k1.publicKeyOf(key.privateKey)), node.publicKey);
  assert.equal(hex(derivePrivateKey('CURVE_SECP256K1', seed, path)), node.privateKey);
  if (node.xprv === undefined) return;
  const secret = concatBytes(Uint8Array.of(0), key.privateKey);
  const place = placeOf(seed, path);
  assert.equal(extendedKey(versions.xprv, place, key.chainCode, secret), node.xprv);
  const publicKey = secp256k1.publicKeyOf(key.privateKey);
  assert.equal(extendedKey(versions.xpub, place, key.chainCode, publicKey), node.xpub);
}

/** Depth, fingerprint of the parent and number of the last segment, as BIP-32 serializes them. */
function placeOf(seed: Uint8Array, path: readonly PathSegment[]): Uint8Array {
  const last = path.at(-1);
  if (last === undefined) return new Uint8Array(9);
  const parent = path.slice(0, -1).reduce(bip32Child, bip32Master(seed));
  const fingerprint = ripemd160(sha256(secp256k1.publicKeyOf(parent.privateKey))).subarray(0, 4);
  return concatBytes(Uint8Array.of(path.length), fingerprint, bytesOfIndex(last));
}

function extendedKey(...parts: readonly Uint8Array[]): string {
  return createBase58check(sha256).encode(concatBytes(...parts));
}
