// AUTH-09: the ECDSA keys with which requests are signed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curves } from '../../src/core/crypto/curves.ts';
import { ecdsaSignatureOfDer } from '../../src/core/crypto/signature_der.ts';
import {
  type SignatureBytes,
  verifyP256,
  verifyP256InPool,
  verifySecp256k1,
} from '../../src/core/crypto/verify.ts';
import { bytes } from './vector_files.ts';
import {
  checkAll,
  type Deviation,
  readWycheproof,
  type WycheproofTest,
} from './wycheproof_files.ts';

type EcdsaTest = WycheproofTest & { msg: string; sig: string };
type EcdsaGroup = { publicKey: { uncompressed: string }; tests: EcdsaTest[] };

const p256 = { curve: curves.CURVE_P256, verify: verifyP256 };
const secp256k1 = { curve: curves.CURVE_SECP256K1, verify: verifySecp256k1 };

const asDer = (signature: string): SignatureBytes | undefined =>
  ecdsaSignatureOfDer(bytes(signature));
const asCompact = (signature: string): SignatureBytes => bytes(signature);

/** Clients write all 32 bytes of r and s, with a zero byte before a set top bit. */
const zerosBefore = (tcIds: { r: number; s: number }): Deviation[] => [
  { tcId: tcIds.r, flag: 'InvalidEncoding', comment: "prepending 0's to r" },
  { tcId: tcIds.s, flag: 'InvalidEncoding', comment: "prepending 0's to s" },
];

/** Clients do not normalize s to the lower of s and order − s. */
const highS = { tcId: 1, flag: 'SignatureMalleabilityBitcoin', comment: 'Signature malleability' };
const highSAtHalf = {
  tcId: 388,
  flag: 'ArithmeticError',
  comment: 'edge case for signature malleability',
};

const files = [
  {
    ...p256,
    name: 'ecdsa_secp256r1_sha256',
    read: asDer,
    deviations: zerosBefore({ r: 84, s: 128 }),
  },
  { ...p256, name: 'ecdsa_secp256r1_sha256_p1363', read: asCompact, deviations: [] },
  {
    ...secp256k1,
    name: 'ecdsa_secp256k1_sha256',
    read: asDer,
    deviations: zerosBefore({ r: 84, s: 127 }),
  },
  { ...secp256k1, name: 'ecdsa_secp256k1_sha256_p1363', read: asCompact, deviations: [] },
  {
    ...secp256k1,
    name: 'ecdsa_secp256k1_sha256_bitcoin',
    read: asDer,
    deviations: [highS, ...zerosBefore({ r: 79, s: 123 }), highSAtHalf],
  },
];

for (const { name, curve, verify, read, deviations } of files) {
  test(`${name} from Wycheproof`, () => {
    const file = readWycheproof<EcdsaGroup>(name);
    checkAll<EcdsaGroup, EcdsaTest>(file, deviations, (group, { msg, sig }) => {
      const publicKey = curve.parsePublicKey(bytes(group.publicKey.uncompressed));
      assert(publicKey !== undefined);
      const signature = read(sig);
      return signature !== undefined && verify(publicKey, signature, bytes(msg));
    });
  });
}

test('the thread pool verifies P-256 like the main thread', async () => {
  for (const { publicKey, tests } of readWycheproof<EcdsaGroup>('ecdsa_secp256r1_sha256_p1363')
    .testGroups) {
    const key = curves.CURVE_P256.parsePublicKey(bytes(publicKey.uncompressed));
    assert(key !== undefined);
    for (const { tcId, msg, sig, result } of tests) {
      const isValid = await verifyP256InPool(key, bytes(sig), bytes(msg));
      assert.equal(isValid, result === 'valid', `test ${tcId}`);
    }
  }
});
