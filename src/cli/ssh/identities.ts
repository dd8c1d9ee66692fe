// Converts keys and signatures of the service to SSH: Ed25519 (RFC 8709), ECDSA over P-256 (RFC 5656).

import { ECDH } from 'node:crypto';
import type { Signer } from '../accounts/signers.ts';
import { positiveMpint, wireString } from './wire.ts';

/**
 * A signature from `sign_raw_payload` in hex: the two ECDSA numbers, or the two halves of an Ed25519
 * signature.
 */
export type RawSignature = { readonly r: string; readonly s: string };

export type Identity = {
  readonly signer: Signer;
  /** The public key in SSH format. */
  readonly blob: Uint8Array;
  readonly hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' | 'HASH_FUNCTION_SHA256';
  /** Converts a signature to the SSH format. */
  readonly signature: (signed: RawSignature) => Uint8Array;
};

/** Returns the SSH key of a signer; undefined for an unsupported curve. */
export function identityOf(signer: Signer): Identity | undefined {
  return identities[signer.curve]?.(signer);
}

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

const identities: Readonly<Record<string, (signer: Signer) => Identity>> = {
  CURVE_ED25519: (signer) => ({
    signer,
    blob: Buffer.concat([wireString('ssh-ed25519'), wireString(bytesOf(signer.publicKey))]),
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    signature: ({ r, s }) =>
      Buffer.concat([wireString('ssh-ed25519'), wireString(bytesOf(`${r}${s}`))]),
  }),
  CURVE_P256: (signer) => ({
    signer,
    blob: Buffer.concat([
      wireString('ecdsa-sha2-nistp256'),
      wireString('nistp256'),
      wireString(uncompressed(signer.publicKey)),
    ]),
    hashFunction: 'HASH_FUNCTION_SHA256',
    signature: ({ r, s }) =>
      Buffer.concat([
        wireString('ecdsa-sha2-nistp256'),
        wireString(Buffer.concat([positiveMpint(bytesOf(r)), positiveMpint(bytesOf(s))])),
      ]),
  }),
};

const uncompressed = (point: string): Uint8Array =>
  Buffer.from(ECDH.convertKey(point, 'prime256v1', 'hex', 'hex', 'uncompressed') as string, 'hex');
