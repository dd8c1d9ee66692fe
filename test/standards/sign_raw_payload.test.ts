// Vectors of raw payloads end to end: the signed bytes, and the published signature over them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '../../src/core/base/bytes.ts';
import type { HashFunction, PayloadEncoding } from '../../src/core/base/enums.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { SigningScheme } from '../../src/core/payload/combinations.ts';
import { digestPayload } from '../../src/core/payload/index.ts';
import { bytes, readVectors, undeclaredEmptyDomain } from './vector_files.ts';

type Request = {
  curve: string;
  payload: string;
  encoding: PayloadEncoding;
  hashFunction: HashFunction;
};
type Accepted = Request & {
  id: string;
  scheme: string;
  publicKey: string;
  verifyKey?: string;
  signedBytes: string;
  r: string;
  s: string;
};
type PersonalMessage = { prefixedMessageHex: string; messageUtf8?: string; digest: string };

const { signRawPayload, signRawPayloadInvalid, eip191 } = readVectors<{
  signRawPayload: Accepted[];
  signRawPayloadInvalid: (Request & { reason: string })[];
  eip191: PersonalMessage[];
}>('signing.json');

// ENUM-09, ENUM-10
test('signRawPayload: every vector signs the published bytes', () => {
  assert.equal(signRawPayload.length, 127);
  for (const { id, payload, encoding, hashFunction, signedBytes, ...vector } of signRawPayload) {
    const scheme = schemeOf(vector);
    if (id === undeclaredEmptyDomain) {
      const sign = () => digestPayload({ scheme, payload, encoding, hashFunction });
      assert.throws(sign, /types has no EIP712Domain/);
      continue;
    }
    const digested = digestPayload({ scheme, payload, encoding, hashFunction });
    assert.equal(hex(digested.signedBytes), signedBytes, id);
    assert.ok(verifies(scheme, vector, digested.signedBytes), `${id}: signature`);
    assert.equal(digested.typedData !== undefined, encoding === 'PAYLOAD_ENCODING_EIP712', id);
    assert.equal(
      digested.authorization !== undefined,
      encoding === 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
      id,
    );
  }
});

test('signRawPayloadInvalid: every vector is refused, naming the parameter that is wrong', () => {
  assert.equal(signRawPayloadInvalid.length, 19);
  for (const { curve, payload, encoding, hashFunction, reason } of signRawPayloadInvalid) {
    const scheme = schemeOf({ curve, scheme: '' });
    assert.throws(
      () => digestPayload({ scheme, payload, encoding, hashFunction }),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'field_invalid' &&
        /^parameters\.(payload|encoding|hashFunction)\b/.test(String(error.details['field'])) &&
        /expected a 32-bytes-long digest|invalid payload encoding|invalid hash function/.test(
          error.message,
        ),
      reason,
    );
  }
});

test('EIP-191: the prefixed message hashed here, and the digest sent ready, sign the same', () => {
  assert.equal(eip191.length, 7);
  for (const { prefixedMessageHex, digest } of eip191) {
    const hashedHere = digestPayload({
      scheme: 'ecdsa_secp256k1',
      payload: prefixedMessageHex,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
    const sentReady = digestPayload({
      scheme: 'ecdsa_secp256k1',
      payload: `0x${digest}`,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    assert.equal(hex(hashedHere.signedBytes), digest);
    assert.equal(hex(sentReady.signedBytes), digest);
  }
});

function schemeOf({ curve, scheme }: { curve: string; scheme: string }): SigningScheme {
  if (curve === 'CURVE_ED25519') return 'eddsa';
  if (curve === 'CURVE_P256') return 'ecdsa_p256';
  return scheme.includes('Schnorr') ? 'schnorr' : 'ecdsa_secp256k1';
}

function verifies(
  scheme: SigningScheme,
  { r, s, publicKey, verifyKey }: Pick<Accepted, 'r' | 's' | 'publicKey' | 'verifyKey'>,
  message: Uint8Array,
): boolean {
  const signature = bytes(r + s);
  const key = bytes(verifyKey ?? publicKey);
  const verify = {
    ecdsa_secp256k1: () => secp256k1.verify(signature, message, key, { prehash: false }),
    ecdsa_p256: () => p256.verify(signature, message, key, { prehash: false }),
    schnorr: () => schnorr.verify(signature, message, key),
    eddsa: () => ed25519.verify(signature, message, key),
  };
  return verify[scheme]();
}
