// X-Stamp-WebAuthn: a request signed with a passkey.

import { base64url, bytesOfBase64url, textOfUtf8 } from '../../base/bytes.ts';
import { fail } from '../../errors/errors.ts';
import { isJsonObject, type JsonObject, parsedJsonOnce } from '../../schema/json.ts';

/** Maximum length of a header; a real one has about 500 characters, with RSA and base64 about 2000. */
export const maximumWebAuthnStampCharacters = 8192;

/** Maximum length of a credential ID (Web Authentication Level 3, section 4). */
export const maximumCredentialIdBytes = 1023;

export type WebAuthnStamp = {
  /** The raw ID in base64url without padding, also if the client sent another form. */
  readonly credentialId: string;
  readonly authenticatorData: Uint8Array;
  /** The very bytes that the browser hashed. */
  readonly clientDataJson: Uint8Array;
  /** DER (ES256) or as many bytes as the modulus has (RS256), not parsed yet. */
  readonly signature: Uint8Array;
};

/**
 * Reads an X-Stamp-WebAuthn header: a JSON object, or base64 or base64url of it, with `credentialId`,
 * `authenticatorData`, `clientDataJson` and `signature` in base64url. Accepts any padding, order of members,
 * white space and unknown members. Raises `webauthn_stamp_malformed`.
 */
export function parseWebAuthnStamp(header: string): WebAuthnStamp {
  if (header.length > maximumWebAuthnStampCharacters) malformed('header too long');
  const trimmed = header.trim();
  const value = parsedJsonOnce(trimmed.startsWith('{') ? trimmed : textOfBase64(trimmed));
  if (!isJsonObject(value)) malformed('expected a JSON object');
  const credentialIdBytes = bytesOf(value, 'credentialId');
  const isIdInBounds =
    credentialIdBytes.length > 0 && credentialIdBytes.length <= maximumCredentialIdBytes;
  if (!isIdInBounds) {
    malformed(`expected \`credentialId\` as 1 to ${maximumCredentialIdBytes} bytes`);
  }
  return {
    credentialId: base64url(credentialIdBytes),
    authenticatorData: bytesOf(value, 'authenticatorData'),
    clientDataJson: bytesOf(value, 'clientDataJson'),
    signature: bytesOf(value, 'signature'),
  };
}

function bytesOf(value: JsonObject, member: string): Uint8Array {
  const text = value[member];
  if (typeof text !== 'string') malformed(`expected \`${member}\` as text`);
  const bytes = bytesOfBase64url(text);
  if (bytes === undefined) malformed(`expected \`${member}\` in base64url`);
  return bytes;
}

function textOfBase64(text: string): string {
  const bytes = bytesOfBase64url(text);
  if (bytes === undefined) malformed('expected a JSON object, or base64url of one');
  return textOfUtf8(bytes) ?? malformed('expected JSON in UTF-8');
}

function malformed(reason: string): never {
  return fail('webauthn_stamp_malformed', { reason });
}
