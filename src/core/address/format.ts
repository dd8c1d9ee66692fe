import type { CurveName } from '../base/enums.ts';
import type { SpellingName } from './normalization.ts';

/** The scheme that turns the 32 signed bytes (or the message, for Ed25519) into r and s. */
export type SignatureScheme =
  /** ECDSA of the curve, low s. */
  | 'ecdsa'
  /** Ed25519, RFC 8032. */
  | 'eddsa'
  /** BIP-340 with the key tweaked as BIP-341 says for an output without scripts. */
  | 'schnorr_tweaked'
  /** BIP-340 with the unchanged key. */
  | 'schnorr';

/**
 * Address text of a public key: a 33-byte compressed point on secp256k1 and P-256, the 32-byte key on
 * Ed25519. The key must be valid and of one of the curves of the format.
 */
type AddressEncoder = (publicKey: Uint8Array, curve: CurveName) => string;

export type AddressFormat = {
  readonly curves: readonly CurveName[];
  readonly encode: AddressEncoder;
  /** The stored form of the address, and the other spellings that are accepted. */
  readonly spelling: SpellingName;
  /** The scheme of signatures for such an address. Default: the curve's own scheme. */
  readonly signatureScheme?: SignatureScheme;
  /** CAIP-2 namespace, if one namespace covers all chains of the format. */
  readonly caip2Prefix?: string;
};
