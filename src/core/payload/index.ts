// Computes the bytes that are signed for a raw payload.

import type { HashFunction, PayloadEncoding } from '../base/enums.ts';
import { finish, type Steps } from '../base/steps.ts';
import { hashInSteps, keccak256, sha256 } from '../crypto/hashes.ts';
import { failField } from '../errors/errors.ts';
import type { PayloadBudget } from './budget.ts';
import { requireCombination, type SigningScheme } from './combinations.ts';
import { hashTypedDataInSteps, readTypedDataInSteps, type TypedData } from './eip712.ts';
import { type Authorization, hashAuthorization, readAuthorization } from './eip7702.ts';
import { readHexadecimal } from './hexadecimal.ts';
import { refusePayload } from './refusal.ts';
import { readText } from './text_utf8.ts';

/** A payload in a request. */
export type RawPayload = {
  readonly scheme: SigningScheme;
  readonly payload: string;
  readonly encoding: PayloadEncoding;
  readonly hashFunction: HashFunction;
  /** Path of the payload in the request, for error messages. Default: `parameters.payload`. */
  readonly payloadField?: string;
};

/** The signed bytes, and their content if the encoding defines it. */
export type DigestedPayload = {
  /** For ECDSA and Schnorr the 32-byte digest, for Ed25519 the message. */
  readonly signedBytes: Uint8Array;
  readonly typedData?: TypedData;
  readonly authorization?: Authorization;
};

/** Maximum length of a payload, in characters; the body of a request has at most 4 MiB. */
export const maxPayloadLength = 4 * 1024 * 1024;

/**
 * Returns the bytes to sign for a raw payload: a 32-byte digest for ECDSA and Schnorr, the message itself for
 * Ed25519. For EIP-712 and EIP-7702 also the parsed content, so that policies decide on exactly the signed
 * content. Payloads of one request share a `budget`. Raises `field_invalid` naming
 * `parameters.encoding`, `parameters.hashFunction`, the payload, or the wrong part of the payload.
 */
export function digestPayload(raw: RawPayload, budget?: PayloadBudget): DigestedPayload {
  return finish(digestInSteps(raw, budget));
}

/** Like `digestPayload`, in steps, because parsing and hashing thousands of values take long. */
export function* digestInSteps(raw: RawPayload, budget?: PayloadBudget): Steps<DigestedPayload> {
  const { scheme, payload, encoding, hashFunction, payloadField = 'parameters.payload' } = raw;
  requireCombination(scheme, encoding, hashFunction);
  if (payload.length > maxPayloadLength) {
    refusePayload(
      payloadField,
      `expected at most ${maxPayloadLength} characters, got ${payload.length}`,
    );
  }
  if (hashFunction === 'HASH_FUNCTION_NO_OP' && isTooLong(payload, encoding)) {
    const got = `got a payload of ${payload.length} characters`;
    failField(
      payloadField,
      `expected a 32-bytes-long digest, ${got}; for other data, name a hash function`,
    );
  }
  const { bytes, ...meaning } = yield* decoders[encoding](payload, payloadField, budget);
  yield;
  const { hash, algorithm } = hashers[hashFunction];
  const isLong = bytes.length > longBytes && algorithm !== undefined;
  const signedBytes = isLong ? yield* hashInSteps(algorithm, bytes) : hash(bytes);
  if (scheme !== 'eddsa' && signedBytes.length !== digestBytes) {
    failField(
      payloadField,
      `expected a 32-bytes-long digest, got ${signedBytes.length} bytes; for other data, name a hash function`,
    );
  }
  return { signedBytes, ...meaning };
}

type Decoded = Omit<DigestedPayload, 'signedBytes'> & { readonly bytes: Uint8Array };

const digestBytes = 32;

/** Returns true if a payload is too long to encode a digest. The caller then does not decode it. */
function isTooLong({ length }: string, encoding: PayloadEncoding): boolean {
  return isPlain[encoding] && length > longBytes;
}

/** The encodings whose bytes are the payload itself. */
const isPlain: Readonly<Record<PayloadEncoding, boolean>> = {
  PAYLOAD_ENCODING_HEXADECIMAL: true,
  PAYLOAD_ENCODING_TEXT_UTF8: true,
  PAYLOAD_ENCODING_EIP712: false,
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: false,
};

type Decode = (payload: string, path: string, budget: PayloadBudget | undefined) => Steps<Decoded>;

const decoders: Readonly<Record<PayloadEncoding, Decode>> = {
  PAYLOAD_ENCODING_HEXADECIMAL: inOneStep((payload, path) => ({
    bytes: readHexadecimal(payload, path),
  })),
  PAYLOAD_ENCODING_TEXT_UTF8: inOneStep((payload, path) => ({ bytes: readText(payload, path) })),
  PAYLOAD_ENCODING_EIP712: function* (payload, path, budget) {
    const typedData = yield* readTypedDataInSteps(payload, path, budget);
    return { bytes: (yield* hashTypedDataInSteps(typedData)).signed, typedData };
  },
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: inOneStep((payload, path) => {
    const authorization = readAuthorization(payload, path);
    return { bytes: hashAuthorization(authorization), authorization };
  }),
};

function inOneStep(decode: (payload: string, path: string) => Decoded): Decode {
  // biome-ignore lint/correctness/useYield: work of a single step
  return function* (payload, path) {
    return decode(payload, path);
  };
}

/** Longer messages are hashed in steps. */
const longBytes = 64 * 1024;

type Hasher = {
  readonly hash: (bytes: Uint8Array) => Uint8Array;
  readonly algorithm?: Parameters<typeof hashInSteps>[0];
};

const hashers: Readonly<Record<HashFunction, Hasher>> = {
  HASH_FUNCTION_NO_OP: { hash: (bytes) => bytes },
  HASH_FUNCTION_SHA256: { hash: sha256, algorithm: 'sha256' },
  HASH_FUNCTION_KECCAK256: { hash: keccak256, algorithm: 'keccak-256' },
  HASH_FUNCTION_NOT_APPLICABLE: { hash: (bytes) => bytes },
};
