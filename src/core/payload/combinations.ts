// Valid combinations of encoding, hash function and signature scheme.

import type { HashFunction, PayloadEncoding } from '../base/enums.ts';
import { failField } from '../errors/errors.ts';

/** Signature schemes, chosen by the signing address or key. */
export const signingSchemes = ['ecdsa_secp256k1', 'ecdsa_p256', 'schnorr', 'eddsa'] as const;
export type SigningScheme = (typeof signingSchemes)[number];

/** The result for a combination: allowed, or the wrong parameter with a reason. */
type CombinationCheck =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly field: 'parameters.encoding' | 'parameters.hashFunction';
      readonly reason: string;
    };

const allowed: CombinationCheck = { allowed: true };

const needsDigest: CombinationCheck = {
  allowed: false,
  field: 'parameters.hashFunction',
  reason:
    'invalid hash function: ECDSA and Schnorr sign a digest, HASH_FUNCTION_NOT_APPLICABLE is for Ed25519',
};
const hashesItself: CombinationCheck = {
  allowed: false,
  field: 'parameters.hashFunction',
  reason:
    'invalid hash function: Ed25519 hashes the message itself, expected HASH_FUNCTION_NOT_APPLICABLE',
};
const hashedTwice: CombinationCheck = {
  allowed: false,
  field: 'parameters.hashFunction',
  reason:
    'invalid hash function: this encoding includes its hash (Keccak-256), expected HASH_FUNCTION_NO_OP',
};
const noKeccakInSchnorr: CombinationCheck = {
  allowed: false,
  field: 'parameters.hashFunction',
  reason:
    'invalid hash function: Schnorr (BIP-340) signs the HASH_FUNCTION_SHA256 of a payload, or a digest with HASH_FUNCTION_NO_OP',
};
const ethereumOnly: CombinationCheck = {
  allowed: false,
  field: 'parameters.encoding',
  reason:
    'invalid payload encoding: EIP-712 and EIP-7702 are signed by ECDSA on secp256k1, not by this address or key',
};

const anyDigest: ByHashFunction = {
  HASH_FUNCTION_NO_OP: allowed,
  HASH_FUNCTION_SHA256: allowed,
  HASH_FUNCTION_KECCAK256: allowed,
  HASH_FUNCTION_NOT_APPLICABLE: needsDigest,
};
const schnorrDigest: ByHashFunction = {
  ...anyDigest,
  HASH_FUNCTION_KECCAK256: noKeccakInSchnorr,
};
const wholeMessage: ByHashFunction = {
  HASH_FUNCTION_NO_OP: hashesItself,
  HASH_FUNCTION_SHA256: hashesItself,
  HASH_FUNCTION_KECCAK256: hashesItself,
  HASH_FUNCTION_NOT_APPLICABLE: allowed,
};
const ownHash: ByHashFunction = {
  HASH_FUNCTION_NO_OP: allowed,
  HASH_FUNCTION_SHA256: hashedTwice,
  HASH_FUNCTION_KECCAK256: hashedTwice,
  HASH_FUNCTION_NOT_APPLICABLE: needsDigest,
};
const notThere: ByHashFunction = {
  HASH_FUNCTION_NO_OP: ethereumOnly,
  HASH_FUNCTION_SHA256: ethereumOnly,
  HASH_FUNCTION_KECCAK256: ethereumOnly,
  HASH_FUNCTION_NOT_APPLICABLE: ethereumOnly,
};

/** The result of every combination of scheme, encoding and hash function. */
export const combinations: Readonly<
  Record<SigningScheme, Readonly<Record<PayloadEncoding, ByHashFunction>>>
> = {
  ecdsa_secp256k1: {
    PAYLOAD_ENCODING_HEXADECIMAL: anyDigest,
    PAYLOAD_ENCODING_TEXT_UTF8: anyDigest,
    PAYLOAD_ENCODING_EIP712: ownHash,
    PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: ownHash,
  },
  ecdsa_p256: {
    PAYLOAD_ENCODING_HEXADECIMAL: anyDigest,
    PAYLOAD_ENCODING_TEXT_UTF8: anyDigest,
    PAYLOAD_ENCODING_EIP712: notThere,
    PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: notThere,
  },
  schnorr: {
    PAYLOAD_ENCODING_HEXADECIMAL: schnorrDigest,
    PAYLOAD_ENCODING_TEXT_UTF8: schnorrDigest,
    PAYLOAD_ENCODING_EIP712: notThere,
    PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: notThere,
  },
  eddsa: {
    PAYLOAD_ENCODING_HEXADECIMAL: wholeMessage,
    PAYLOAD_ENCODING_TEXT_UTF8: wholeMessage,
    PAYLOAD_ENCODING_EIP712: notThere,
    PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: notThere,
  },
};

/**
 * Rejects a combination that is invalid for every payload. Raises `field_invalid` at `parameters.encoding` or
 * `parameters.hashFunction`.
 */
export function requireCombination(
  scheme: SigningScheme,
  encoding: PayloadEncoding,
  hashFunction: HashFunction,
): void {
  const verdict = combinations[scheme][encoding][hashFunction];
  if (!verdict.allowed) failField(verdict.field, verdict.reason);
}

type ByHashFunction = Readonly<Record<HashFunction, CombinationCheck>>;
