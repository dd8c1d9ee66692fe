// X-Stamp: a request signed with an API key.

import { bytesOfBase64url, bytesOfHex, textOfUtf8 } from '../base/bytes.ts';
import type { CredentialType, StampScheme } from '../base/enums.ts';
import { rowOf, table } from '../base/table.ts';
import { fail } from '../errors/errors.ts';
import { isJsonObject, parsedJsonOnce } from '../schema/json.ts';

/** Maximum length of a stamp header; a real one has about 500 characters. */
export const maximumStampCharacters = 4096;

type StampAlgorithm = 'p256' | 'secp256k1' | 'ed25519' | 'secp256k1_eip191';

type SchemeRow = {
  algorithm: StampAlgorithm;
  /** The type of credential that may use the scheme. */
  credentialType: CredentialType;
  publicKeyBytes: number;
};

export const stampSchemeTable = table<SchemeRow>()({
  SIGNATURE_SCHEME_TK_API_P256: {
    algorithm: 'p256',
    credentialType: 'CREDENTIAL_TYPE_API_KEY_P256',
    publicKeyBytes: 33,
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1: {
    algorithm: 'secp256k1',
    credentialType: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
    publicKeyBytes: 33,
  },
  SIGNATURE_SCHEME_TK_API_ED25519: {
    algorithm: 'ed25519',
    credentialType: 'CREDENTIAL_TYPE_API_KEY_ED25519',
    publicKeyBytes: 32,
  },
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: {
    algorithm: 'secp256k1_eip191',
    credentialType: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
    publicKeyBytes: 33,
  },
} satisfies Record<StampScheme, SchemeRow>);

export type Stamp = {
  readonly scheme: StampScheme;
  readonly algorithm: StampAlgorithm;
  readonly credentialType: CredentialType;
  /** 33-byte compressed point or 32 bytes. */
  readonly publicKey: Uint8Array;
  /** DER (ECDSA) or 64 bytes (Ed25519), not parsed yet. */
  readonly signature: Uint8Array;
  /** The text as sent, for the vote that stores it. */
  readonly publicKeyText: string;
  readonly signatureText: string;
};

/**
 * Reads an X-Stamp header: base64url (padding optional) of a JSON object with `publicKey` (hex),
 * `scheme` and `signature` (hex); letter case of hex, member order, white space and unknown members
 * do not matter. Raises `stamp_malformed`.
 */
export function parseStamp(header: string): Stamp {
  if (header.length > maximumStampCharacters) malformed('header too long');
  const bytes = bytesOfBase64url(header);
  if (bytes === undefined) malformed('expected base64url');
  const text = textOfUtf8(bytes);
  if (text === undefined) malformed('expected JSON in UTF-8');
  const value = parsedJsonOnce(text);
  if (!isJsonObject(value)) malformed('expected a JSON object with every member once');
  const { publicKey: publicKeyText, scheme: schemeName, signature: signatureText } = value;
  if (typeof schemeName !== 'string') malformed('expected `scheme` as text');
  const scheme = rowOf(stampSchemeTable, schemeName);
  if (scheme === undefined) {
    malformed(`expected \`scheme\` to be one of ${Object.keys(stampSchemeTable).join(', ')}`);
  }
  if (typeof publicKeyText !== 'string') malformed('expected `publicKey` as text');
  const publicKey = bytesOfHex(publicKeyText);
  if (publicKey?.length !== scheme.publicKeyBytes) {
    malformed(`expected \`publicKey\` as ${scheme.publicKeyBytes} bytes in hex`);
  }
  if (typeof signatureText !== 'string') malformed('expected `signature` as text');
  const signature = bytesOfHex(signatureText);
  if (signature === undefined) malformed('expected `signature` in hex');
  return {
    scheme: scheme.name,
    algorithm: scheme.algorithm,
    credentialType: scheme.credentialType,
    publicKey,
    signature,
    publicKeyText,
    signatureText,
  };
}

function malformed(reason: string): never {
  return fail('stamp_malformed', { reason });
}
