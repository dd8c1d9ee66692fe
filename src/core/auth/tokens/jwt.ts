// Signs and verifies tokens of the service in compact form (RFC 7515 section 7.1) with ES256. `oidc_token.ts`
// reads the tokens of other issuers.

import { base64url, bytesOfBase64url, textOfUtf8, utf8 } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { p256 } from '../../crypto/p256.ts';
import type { ServiceKeys, SigningRole } from '../../crypto/service_keys.ts';
import { verifyP256 } from '../../crypto/verify.ts';
import { assert } from '../../errors/errors.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { strictJsonObject } from '../../schema/strict_json.ts';

/** Maximum length of a token; tokens of the service have about 600 characters. */
export const maximumTokenCharacters = 16_384;

/** The members that distinguish kinds of tokens. */
export type TokenKind = {
  readonly role: SigningRole;
  /** The header in its only accepted spelling. */
  readonly header: string;
  /** Number of hashes of header and payload under the signature. */
  readonly hashes: 1 | 2;
};

/** Reasons for refused tokens, which answers may contain. */
export const tokenRefusals = {
  tooLong: 'it is longer than any token of this service',
  malformed: 'expected three parts in base64url, joined by dots',
  header: 'it is a token of another kind',
  signature: 'it was not signed by this service',
  claims: 'a claim is missing or has another form',
  expired: 'it has expired',
} as const;

type TokenRefusal = (typeof tokenRefusals)[keyof typeof tokenRefusals];

/** The claims of a token, or the reason for its refusal. */
export type TokenReading<Claims> =
  | { readonly claims: Claims; readonly refusal?: undefined }
  | { readonly claims?: undefined; readonly refusal: TokenRefusal };

/** Signs claims in their given order with the key of the token's kind. */
export function writeJwt(
  kind: TokenKind,
  claims: JsonObject,
  keys: Pick<ServiceKeys, 'sign'>,
): string {
  const payload = base64url(utf8(plainJson(claims)));
  // Clients decode the payload as base64.
  assert(!/[-_]/.test(payload), 'the payload has the same text in base64 and base64url');
  const signed = `${base64url(utf8(kind.header))}.${payload}`;
  const token = `${signed}.${base64url(keys.sign(kind.role, digestOf(kind, utf8(signed))))}`;
  assert(token.length <= maximumTokenCharacters, 'a token keeps its bound');
  return token;
}

/**
 * Returns the claims of a token of that kind, signed by that public key (33 or 65 bytes). The callers check
 * the claims and the expiry.
 */
export function readJwt(
  token: string,
  kind: TokenKind,
  publicKey: Uint8Array,
): TokenReading<JsonObject> {
  if (token.length > maximumTokenCharacters) return { refusal: tokenRefusals.tooLong };
  const [header, payload, signature, ...more] = token.split('.').map(bytesOfPart);
  const isWhole = header && payload && signature && more.length === 0;
  if (!isWhole) return { refusal: tokenRefusals.malformed };
  if (textOfUtf8(header) !== kind.header) return { refusal: tokenRefusals.header };
  const key = p256.parsePublicKey(publicKey);
  assert(key !== undefined, 'tokens are checked by a point of P-256');
  const signed = utf8(token.slice(0, token.lastIndexOf('.')));
  // The verification applies the second hash.
  const message = kind.hashes === 2 ? sha256(signed) : signed;
  if (!verifyP256(key, signature, message)) return { refusal: tokenRefusals.signature };
  const claims = strictJsonObject(payload);
  return claims === undefined ? { refusal: tokenRefusals.claims } : { claims };
}

/** Returns the unverified claims of a token; undefined for another form. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  if (token.length > maximumTokenCharacters) return undefined;
  const payload = bytesOfPart(token.split('.')[1] ?? '');
  return payload && strictJsonObject(payload);
}

/** Returns true if a claim is a text that is not empty. */
export function isText(claim: Json | undefined): claim is string {
  return typeof claim === 'string' && claim !== '';
}

function digestOf({ hashes }: TokenKind, signed: Uint8Array): Uint8Array {
  return hashes === 2 ? sha256(sha256(signed)) : sha256(signed);
}

/**
 * Returns JSON in ASCII with escaped `>`, `?`, `~` and DEL. Only these four can produce `-` or `_` in
 * base64url, since their low six bits are 62 or 63. They occur only inside JSON strings, so they may be
 * escaped.
 */
function plainJson(claims: JsonObject): string {
  return JSON.stringify(claims).replace(
    /[>?~\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Decodes one part; undefined unless it is canonical base64url. */
function bytesOfPart(part: string): Uint8Array | undefined {
  const bytes = bytesOfBase64url(part);
  return bytes !== undefined && base64url(bytes) === part ? bytes : undefined;
}
