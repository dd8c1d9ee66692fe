// ID tokens of OpenID Connect (OpenID Connect Core 1.0 section 2): compact JSON Web Signatures over a set of
// claims. This file fetches nothing; the caller passes the keys of the issuer. The parsing is strict:
// canonical base64url, no repeated member, no extensions (`crit`). Keys inside a token (`jwk`, `jku`, `x5c`,
// `x5u`) are never used.

import { bytesOfBase64url, equalBytes, hex, textOfUtf8, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import {
  bytesOfCanonicalBase64url,
  type JwsAlgorithmName,
  type JwsKey,
  jwsAlgorithmNames,
  jwsAlgorithmOf,
  jwsKeyOf,
  verifyJws,
} from '../crypto/jws.ts';
import { fail } from '../errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts';
import { strictJsonObject } from '../schema/strict_json.ts';

export const maximumTokenCharacters = 16_384;

/** Maximum number of keys that an issuer publishes. */
const maximumIssuerKeys = 100;

/** Maximum number of keys tried for the signature of one token. */
const maximumKeysTried = 10;

/**
 * Tolerance for `nbf` and `iat` in the future: a token is often used in the second it was issued, and clocks
 * differ. `exp` has no tolerance.
 */
export const leewaySeconds = 60;

/** The claims of a token before verification: enough to find the keys of its issuer. */
type UnverifiedOidcToken = {
  readonly algorithm: JwsAlgorithmName;
  /** `kid`, which selects a key of the issuer. */
  readonly keyId: string | undefined;
  readonly issuer: string;
  /** The header and the payload as JSON objects. */
  readonly header: JsonObject;
  readonly claims: JsonObject;
};

/** Claims of a token whose signature and times were checked. */
export type OidcClaims = {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly nonce?: string;
  readonly tknonce?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  /** `iat` in milliseconds since 1970, if the token has it. */
  readonly issuedAt?: number;
  /** `exp` in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Identifies the signed part, so another signature over the same claims is the same token. */
  readonly tokenId: string;
};

/**
 * Parses a token without verification. Accepts the compact form, or its base64 or base64url, of at most
 * 16,384 characters. Raises `oidc_token_invalid`.
 */
export function readOidcToken(text: string): UnverifiedOidcToken {
  return partsOf(text).unverified;
}

/**
 * Returns the unverified account of a token, only for finding the organization to read. Raises
 * `oidc_token_invalid`.
 */
export function claimedIdentity(text: string): Pick<OidcClaims, 'issuer' | 'audience' | 'subject'> {
  const { claims, issuer } = readOidcToken(text);
  return { issuer, ...audienceAndSubject(claims) };
}

/**
 * Verifies a token with the key set (JWKS, RFC 7517 section 5) of its issuer. The caller checks that the
 * issuer is accepted and that the keys belong to it. `now` is in milliseconds since 1970. The audience is one
 * text or a list of one: an account is bound to issuer, audience and subject. `azp` is ignored. Raises
 * `oidc_token_invalid`.
 */
export function verifyOidcToken(input: {
  readonly token: string;
  readonly keys: Json;
  readonly now: number;
  readonly allowedAlgorithms?: readonly JwsAlgorithmName[];
}): OidcClaims {
  const { unverified, signed, signature } = partsOf(input.token);
  const { algorithm, keyId, claims } = unverified;
  if (!(input.allowedAlgorithms ?? jwsAlgorithmNames).includes(algorithm)) {
    invalid(`\`alg\`: ${algorithm} is not accepted`);
  }
  const keys = keysThatFit(input.keys, algorithm, keyId);
  if (!keys.some((key) => verifyJws(key, signed, signature))) {
    invalid('the signature does not verify');
  }
  return {
    ...verifiedClaims(claims, unverified.issuer, input.now),
    tokenId: `${idTokenPrefix}${hex(sha256(signed))}`,
  };
}

/** Distinguishes ID tokens from verification tokens, whose ids are UUIDs. */
const idTokenPrefix = 'id_token:';

export const isIdToken = (tokenId: string): boolean => tokenId.startsWith(idTokenPrefix);

/** Maximum age of a token that registers an account for a user who signed in with another key. */
export const registrationAgeSeconds = 600;

/** Returns true if the issuer made a token within the last ten minutes. */
export function isFresh({ issuedAt }: Pick<OidcClaims, 'issuedAt'>, now: number): boolean {
  return issuedAt !== undefined && now - issuedAt <= registrationAgeSeconds * 1000;
}

/**
 * Returns true if a token was made for a public key: its `nonce` or `tknonce` is the lower-case hex SHA-256
 * of the key's text as sent.
 */
export function bindsKey(
  claims: Pick<OidcClaims, 'nonce' | 'tknonce'>,
  publicKeyText: string,
): boolean {
  const expected = utf8(hex(sha256(utf8(publicKeyText))));
  const [nonce, tknonce] = [claims.nonce, claims.tknonce].map(
    (claim) => claim !== undefined && equalBytes(utf8(claim), expected),
  );
  return nonce === true || tknonce === true;
}

/** The parts of a compact signature, for any payload. */
type CompactJws = {
  readonly algorithm: JwsAlgorithmName;
  readonly keyId: string | undefined;
  readonly header: JsonObject;
  readonly payload: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
};

/**
 * Takes the compact serialization (RFC 7515 section 7.1) apart and checks its header. Raises
 * `oidc_token_invalid`.
 */
export function readCompactJws(compact: string): CompactJws {
  const parts = compact.split('.', 4);
  const [headerText = '', payloadText = '', signatureText = ''] = parts;
  const headerBytes = bytesOfCanonicalBase64url(headerText);
  const payload = bytesOfCanonicalBase64url(payloadText);
  const signature = bytesOfCanonicalBase64url(signatureText);
  if (parts.length !== 3 || !headerBytes || !payload || !signature) {
    return invalid('expected three parts in base64url');
  }
  const header = strictJsonObject(headerBytes);
  if (header === undefined) return invalid('expected a header in JSON with every member once');
  const { alg, kid, typ, crit } = header;
  if (crit !== undefined) invalid('`crit`: no extension is understood');
  const algorithm = typeof alg === 'string' ? jwsAlgorithmOf(alg) : undefined;
  if (algorithm === undefined) {
    return invalid(`\`alg\`: expected one of ${jwsAlgorithmNames.join(', ')}`);
  }
  if (!isTokenType(typ)) invalid('`typ`: expected JWT');
  return {
    algorithm,
    keyId: optionalText('kid', kid),
    header,
    payload,
    signed: utf8(`${headerText}.${payloadText}`),
    signature,
  };
}

/**
 * Returns the keys that may have signed a token: those with its `kid`, or without a `kid` all of its
 * algorithm. Raises `oidc_token_invalid` for no key or more than 10.
 */
export function keysThatFit(
  keySet: Json,
  algorithm: JwsAlgorithmName,
  keyId: string | undefined,
): readonly JwsKey[] {
  const published = isJsonObject(keySet) ? keySet['keys'] : undefined;
  if (!Array.isArray(published) || published.length > maximumIssuerKeys) {
    return invalid(`the issuer has no set of at most ${maximumIssuerKeys} keys`);
  }
  const named: readonly Json[] = published.filter(
    (jwk: Json) => keyId === undefined || (isJsonObject(jwk) && jwk['kid'] === keyId),
  );
  const fitting = named.flatMap((jwk) => jwsKeyOf(jwk, algorithm) ?? []);
  if (fitting.length === 0) invalid('the issuer has no key that fits `alg` and `kid`');
  if (fitting.length > maximumKeysTried) {
    invalid(`more than ${maximumKeysTried} keys of the issuer fit`);
  }
  return fitting;
}

type Parts = {
  readonly unverified: UnverifiedOidcToken;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
};

function partsOf(text: string): Parts {
  if (text.length > maximumTokenCharacters) {
    invalid(`more than ${maximumTokenCharacters} characters`);
  }
  const jws = readCompactJws(unwrapped(text));
  const { algorithm, keyId, header, payload, signed, signature } = jws;
  const claims = strictJsonObject(payload);
  if (claims === undefined) return invalid('expected claims in JSON with every member once');
  const issuer = requiredText('iss', claims['iss'], maximumClaimCharacters);
  return { unverified: { algorithm, keyId, issuer, header, claims }, signed, signature };
}

/** Returns the compact form of a token. The dots of the compact form distinguish it from base64. */
function unwrapped(text: string): string {
  if (text.includes('.')) return text;
  const bytes = bytesOfBase64url(text);
  return (bytes === undefined ? undefined : textOfUtf8(bytes)) ?? text;
}

function verifiedClaims(
  claims: JsonObject,
  issuer: string,
  now: number,
): Omit<OidcClaims, 'tokenId'> {
  const expiresAt = numericDate('exp', claims['exp']);
  if (expiresAt === undefined) return invalid('`exp`: expected a time');
  if (now >= expiresAt) invalid('`exp`: the token has expired');
  for (const name of ['nbf', 'iat']) {
    const time = numericDate(name, claims[name]);
    if (time !== undefined && time > now + leewaySeconds * 1000) {
      invalid(`\`${name}\`: more than ${leewaySeconds} seconds in the future`);
    }
  }
  const issuedAt = numericDate('iat', claims['iat']);
  const nonce = optionalText('nonce', claims['nonce']);
  const tknonce = optionalText('tknonce', claims['tknonce']);
  const email = optionalText('email', claims['email']);
  const emailVerified = emailVerifiedOf(claims['email_verified']);
  return {
    issuer,
    ...audienceAndSubject(claims),
    ...(nonce === undefined ? {} : { nonce }),
    ...(tknonce === undefined ? {} : { tknonce }),
    ...(email === undefined ? {} : { email }),
    ...(emailVerified === undefined ? {} : { emailVerified }),
    ...(issuedAt === undefined ? {} : { issuedAt }),
    expiresAt,
  };
}

function audienceAndSubject(claims: JsonObject): Pick<OidcClaims, 'audience' | 'subject'> {
  const { sub } = claims;
  return {
    audience: requiredText('aud', audienceOf(claims), maximumClaimCharacters),
    // OpenID Connect Core 1.0 section 2: at most 255 characters.
    subject: requiredText('sub', sub, 255),
  };
}

/**
 * OpenID Connect Core 1.0 section 3.1.3.7: of several audiences, `azp` names the client that the token was
 * issued to, and is one of them.
 */
function audienceOf({ aud, azp }: JsonObject): Json | undefined {
  if (!Array.isArray(aud)) return aud;
  const [first, second] = aud;
  if (second === undefined) return first;
  if (aud.length > maximumAudiences || aud.some((each) => typeof each !== 'string')) {
    return invalid(`\`aud\`: expected at most ${maximumAudiences} texts`);
  }
  const isNamed = typeof azp === 'string' && aud.includes(azp);
  return isNamed ? azp : invalid('`azp`: expected the one of several audiences that is the client');
}

/** Maximum number of audiences of a token. Issuers name the client and a few services. */
const maximumAudiences = 10;

/** Maximum length of the issuer and the audience of a registered account. */
const maximumClaimCharacters = 2048;

function requiredText(name: string, value: Json | undefined, maximum: number): string {
  if (typeof value !== 'string' || value === '' || value.length > maximum) {
    return invalid(`\`${name}\`: expected one text of 1 to ${maximum} characters`);
  }
  return value;
}

/** Some issuers write `null` for a missing claim. */
function optionalText(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : invalid(`\`${name}\`: expected a text`);
}

/** Some issuers write it as text. Other values than true and false count as missing. */
function emailVerifiedOf(value: Json | undefined): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** Returns milliseconds for a time in seconds since 1970, possibly with a fraction (RFC 7519 section 2). */
function numericDate(name: string, value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const isDate = typeof value === 'number' && value >= 0 && value <= lastSecond;
  return isDate ? Math.floor(value * 1000) : invalid(`\`${name}\`: expected a time`);
}

/** The last second of a JavaScript date. */
const lastSecond = 8_640_000_000_000;

/** RFC 7519 section 5.1; a media type may leave out `application/` (RFC 7515 section 4.1.9). */
function isTokenType(typ: Json | undefined): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ);
}

function invalid(reason: string): never {
  return fail('oidc_token_invalid', { reason });
}
