// HPKE (RFC 9180) in base mode for one message: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. It needs
// few steps, all of them in node:crypto; a library in JavaScript takes 15 times as long.

import { concatBytes, copyOfSecret, utf8, wipe } from '../base/bytes.ts';
import { assert } from '../errors/errors.ts';
import { open, seal } from './aead.ts';
import { hmacSha256 } from './hashes.ts';
import { type KeyAgreement, keyAgreement } from './key_agreement.ts';
import { uncompressedPoint } from './p256.ts';

/** Bytes that both sides supply: `info` for the key schedule, `associatedData` for the tag. */
export type HpkeBinding = {
  readonly info: Uint8Array;
  /** Receives both public keys as 65 bytes, even if they were compressed. */
  readonly associatedData: (
    encapsulatedKey: Uint8Array,
    receiverPublicKey: Uint8Array,
  ) => Uint8Array;
};

export type HpkeMessage = {
  /** 65 bytes: 04 ‖ x ‖ y. */
  readonly encapsulatedKey: Uint8Array;
  /** Ciphertext followed by the tag of 16 bytes. */
  readonly ciphertext: Uint8Array;
};

/**
 * SealBase (section 6.1). The caller has validated the receiver's public key of 33 or 65 bytes; an invalid
 * point throws as an internal fault. The ephemeral private key comes from `newPrivateKey`, is used only once,
 * and is wiped by the caller.
 */
export function sealTo(
  input: HpkeBinding & {
    readonly receiverPublicKey: Uint8Array;
    readonly plaintext: Uint8Array;
    readonly ephemeralPrivateKey: Uint8Array;
  },
): HpkeMessage {
  const ephemeral = keyAgreement(input.ephemeralPrivateKey);
  const encapsulatedKey = ephemeral.publicKey;
  const receiver = uncompressedPoint(input.receiverPublicKey);
  assert(receiver !== undefined, 'the receiver has a point of P-256');
  const common = sharedSecret(ephemeral, receiver, concatBytes(encapsulatedKey, receiver));
  assert(common !== undefined, 'a point of P-256 has a shared secret');
  const { key, nonce } = keySchedule(common, input.info);
  try {
    const associatedData = input.associatedData(encapsulatedKey, receiver);
    return { encapsulatedKey, ciphertext: seal(key, nonce, input.plaintext, associatedData) };
  } finally {
    wipe(common, key, nonce);
  }
}

/**
 * OpenBase (section 6.1). Returns the plaintext, which the caller wipes; undefined if the message was not
 * sealed to this key with this binding, or if the encapsulated key (33 or 65 bytes) is not a point of P-256.
 */
export function openWith(
  input: HpkeBinding & HpkeMessage & { readonly receiverPrivateKey: Uint8Array },
): Uint8Array | undefined {
  const receiver = keyAgreement(input.receiverPrivateKey);
  const encapsulatedKey = uncompressedPoint(input.encapsulatedKey);
  if (encapsulatedKey === undefined) return undefined;
  const { publicKey } = receiver;
  const common = sharedSecret(receiver, encapsulatedKey, concatBytes(encapsulatedKey, publicKey));
  if (common === undefined) return undefined;
  const { key, nonce } = keySchedule(common, input.info);
  try {
    const associatedData = input.associatedData(encapsulatedKey, publicKey);
    return open(key, nonce, input.ciphertext, associatedData);
  } finally {
    wipe(common, key, nonce);
  }
}

const version = utf8('HPKE-v1');
/** Section 4.1: `KEM` and the number of the KEM. */
const kemSuite = concatBytes(utf8('KEM'), Uint8Array.of(0, 0x10));
/** Section 5.1: `HPKE` and the numbers of KEM, KDF and AEAD. */
const hpkeSuite = concatBytes(utf8('HPKE'), Uint8Array.of(0, 0x10, 0, 0x01, 0, 0x02));
const baseMode = Uint8Array.of(0);
const empty = new Uint8Array(0);
const keyBytes = 32;
const nonceBytes = 12;

/** Base mode has no pre-shared key, but hashes its empty identifier. */
export const pskIdHash = labeledExtract(hpkeSuite, empty, 'psk_id_hash', empty);

/** Returns the hash of `info` for the key schedule, 32 bytes. */
export function infoHashOf(info: Uint8Array): Uint8Array {
  return labeledExtract(hpkeSuite, empty, 'info_hash', info);
}

/** Returns the shared secret of Encap and Decap (section 4.1), 32 bytes. */
function sharedSecret(
  own: KeyAgreement,
  otherPublicKey: Uint8Array,
  kemContext: Uint8Array,
): Uint8Array | undefined {
  const point = own.sharedSecret(otherPublicKey);
  if (point === undefined) return undefined;
  const pseudorandomKey = labeledExtract(kemSuite, empty, 'eae_prk', point);
  try {
    return labeledExpand(kemSuite, pseudorandomKey, 'shared_secret', kemContext, keyBytes);
  } finally {
    wipe(point, pseudorandomKey);
  }
}

/** KeySchedule (section 5.1). The nonce of the first message is the base nonce itself. */
function keySchedule(
  common: Uint8Array,
  info: Uint8Array,
): { readonly key: Uint8Array; readonly nonce: Uint8Array } {
  const context = concatBytes(baseMode, pskIdHash, infoHashOf(info));
  const secret = labeledExtract(hpkeSuite, common, 'secret', empty);
  try {
    return {
      key: labeledExpand(hpkeSuite, secret, 'key', context, keyBytes),
      nonce: labeledExpand(hpkeSuite, secret, 'base_nonce', context, nonceBytes),
    };
  } finally {
    wipe(secret);
  }
}

function labeledExtract(
  suite: Uint8Array,
  salt: Uint8Array,
  label: string,
  keyMaterial: Uint8Array,
): Uint8Array {
  const labeled = concatBytes(version, suite, utf8(label), keyMaterial);
  try {
    return hmacSha256(salt, labeled);
  } finally {
    wipe(labeled);
  }
}

/** Callers need at most one block of HKDF-Expand (RFC 5869), 32 bytes. */
function labeledExpand(
  suite: Uint8Array,
  pseudorandomKey: Uint8Array,
  label: string,
  info: Uint8Array,
  length: 12 | 32,
): Uint8Array {
  const labeled = concatBytes(
    Uint8Array.of(0, length),
    version,
    suite,
    utf8(label),
    info,
    Uint8Array.of(1),
  );
  const block = hmacSha256(pseudorandomKey, labeled);
  try {
    return copyOfSecret(block.subarray(0, length));
  } finally {
    wipe(block);
  }
}
