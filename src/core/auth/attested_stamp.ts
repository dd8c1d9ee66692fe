// X-Stamp-Attested: a request signed with a fresh key that a token vouches for.

import { bytesOfBase64url, bytesOfHex } from '../base/bytes.ts';
import { fail } from '../errors/errors.ts';
import { strictJsonObject } from '../schema/strict_json.ts';

/** Maximum length of a header: a token of 16,384 characters, and base64url over all members. */
export const maximumAttestedStampCharacters = 24_576;

export const attestedStampSchemes = [
  'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
  'STAMP_ATTESTED_SCHEME_P256_OIDC',
] as const;
type AttestedStampScheme = (typeof attestedStampSchemes)[number];

export type AttestedStamp = {
  readonly scheme: AttestedStampScheme;
  /** The token that vouches for the key, unverified. */
  readonly token: string;
  /** 33-byte compressed point. */
  readonly publicKey: Uint8Array;
  /** DER, not parsed yet. */
  readonly signature: Uint8Array;
  /** The public key as sent. The token names the key by this text. */
  readonly publicKeyText: string;
  readonly signatureText: string;
};

/**
 * Reads an X-Stamp-Attested header: base64url (padding optional) of a JSON object with
 * `publicKeyAttestation`, `scheme`, `publicKey` (hex) and `signature` (hex). Raises
 * `attested_stamp_malformed`.
 */
export function parseAttestedStamp(header: string): AttestedStamp {
  if (header.length > maximumAttestedStampCharacters) malformed('header too long');
  const bytes = bytesOfBase64url(header);
  const value = bytes && strictJsonObject(bytes);
  if (value === undefined) malformed('expected base64url of a JSON object');
  const { publicKeyAttestation: token, scheme: name, publicKey, signature } = value;
  const scheme = attestedStampSchemes.find((each) => each === name);
  if (scheme === undefined) {
    malformed(`expected \`scheme\` to be one of ${attestedStampSchemes.join(', ')}`);
  }
  if (typeof token !== 'string') malformed('expected `publicKeyAttestation` as text');
  if (typeof publicKey !== 'string') malformed('expected `publicKey` as text');
  const publicKeyBytes = bytesOfHex(publicKey);
  if (publicKeyBytes?.length !== 33) malformed('expected `publicKey` as 33 bytes in hex');
  if (typeof signature !== 'string') malformed('expected `signature` as text');
  const signatureBytes = bytesOfHex(signature);
  if (signatureBytes === undefined) malformed('expected `signature` in hex');
  return {
    scheme,
    token,
    publicKey: publicKeyBytes,
    signature: signatureBytes,
    publicKeyText: publicKey,
    signatureText: signature,
  };
}

function malformed(reason: string): never {
  return fail('attested_stamp_malformed', { reason });
}
