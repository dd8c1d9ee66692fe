// Step 2: verifies the one authentication header over the raw body, as far as possible without the
// organization.

import { type AttestedStamp, parseAttestedStamp } from '../core/auth/attested_stamp.ts';
import { bindsKey } from '../core/auth/oidc_token.ts';
import { parseStamp, type Stamp } from '../core/auth/stamp.ts';
import { readVerificationToken } from '../core/auth/tokens/verification_token.ts';
import type { TokenOnce } from '../core/auth/verifications.ts';
import { parseWebAuthnStamp, type WebAuthnStamp } from '../core/auth/webauthn/stamp.ts';
import { hex } from '../core/base/bytes.ts';
import { type OtpType, otpTypes } from '../core/base/enums.ts';
import { fail } from '../core/errors/errors.ts';
import type { Identity } from '../core/users/oauth_providers.ts';
import type { ReadOnlySession } from '../core/users/read_only_session.ts';
import type { Ports, Request, SignedStamp } from './ports.ts';
import { verifyIdToken } from './verify_id_token.ts';

/**
 * The authentication of a request: an API key's signature, a token with the signature of the key that
 * it names, or a session. A passkey's signature is verified once its public key is found.
 */
export type VerifiedStamp =
  | { readonly kind: 'api_key'; readonly stamp: Stamp; readonly publicKeyHex: string }
  | { readonly kind: 'passkey'; readonly stamp: WebAuthnStamp }
  | {
      readonly kind: 'attested';
      readonly stamp: AttestedStamp;
      readonly attestation: Attestation;
    }
  | { readonly kind: 'session'; readonly session: ReadOnlySession };

/** The verified stamp of one kind. */
export type StampOf<K extends VerifiedStamp['kind']> = Extract<VerifiedStamp, { readonly kind: K }>;

/** The claims of a token about the key that it attests. */
export type Attestation =
  | {
      readonly kind: 'contact';
      readonly otpType: OtpType;
      readonly contact: string;
      /** Organization that requested the code. */
      readonly organizationId: string;
      /** The token that the stamp uses up. */
      readonly token: TokenOnce;
    }
  | { readonly kind: 'identity'; readonly identity: Identity; readonly tokenId: string };

/**
 * Verifies the authentication header of a request. Raises `stamp_malformed`, `stamp_signature_invalid`,
 * `webauthn_stamp_malformed`, `attested_stamp_malformed`, `session_invalid`, and the errors of tokens.
 */
export function verifyStamp(
  { name, value }: StampHeader,
  request: Request,
  ports: Ports,
): VerifiedStamp | Promise<VerifiedStamp> {
  return readers[name](value, request, ports);
}

type StampHeader = { readonly name: HeaderName; readonly value: string };

type HeaderName = 'x-stamp' | 'x-stamp-webauthn' | 'x-stamp-attested' | 'x-session';

const readers: Readonly<
  Record<HeaderName, (...stamped: [string, Request, Ports]) => ReturnType<typeof verifyStamp>>
> = {
  'x-stamp': (value, { body }, ports) => {
    const stamp = parseStamp(value);
    const verified = (isValid: boolean): VerifiedStamp => {
      if (!isValid) fail('stamp_signature_invalid');
      return { kind: 'api_key', stamp, publicKeyHex: hex(stamp.publicKey) };
    };
    const isValid = ports.verifySignature(stamp, body);
    return isValid instanceof Promise ? isValid.then(verified) : verified(isValid);
  },
  'x-stamp-webauthn': (header) => ({ kind: 'passkey', stamp: parseWebAuthnStamp(header) }),
  'x-stamp-attested': async (value, { body }, ports) => {
    const stamp = parseAttestedStamp(value);
    if (!(await ports.verifySignature(asApiKeyStamp(stamp), body))) fail('stamp_signature_invalid');
    return { kind: 'attested', stamp, attestation: await readAttestation(stamp, ports) };
  },
  'x-session': (value, _request, ports) => ({
    kind: 'session',
    session: openSession(value, ports),
  }),
};

/**
 * Returns the only authentication header of a request. Callers require it before they parse the body. Raises
 * `stamp_missing`, `stamp_ambiguous`, `stamp_unsupported`.
 */
export function requireStampHeader({ headers }: Request): StampHeader {
  // A session next to a stamp is ignored. Without a stamp it is the credential.
  const stamps =
    headers.length > 1 ? headers.filter(({ name }) => name.startsWith('x-stamp')) : headers;
  const found = stamps.length > 0 ? stamps : headers;
  const [only, second] = found;
  if (only === undefined) fail('stamp_missing');
  if (second !== undefined) {
    fail('stamp_ambiguous', { headers: found.map((header) => header.name).join(', ') });
  }
  const { name, value } = only;
  if (!Object.hasOwn(readers, name)) fail('stamp_unsupported', { header: name });
  return { name: name as HeaderName, value };
}

/** Returns the stamp's key and signature as those of a P-256 API key. */
function asApiKeyStamp({ publicKey, signature }: AttestedStamp): SignedStamp {
  return { scheme: 'SIGNATURE_SCHEME_TK_API_P256', algorithm: 'p256', publicKey, signature };
}

/**
 * Verifies the token of an attested stamp, and that it names the stamp's key. Raises
 * `attestation_invalid`, `oidc_token_invalid`, `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
 */
async function readAttestation(stamp: AttestedStamp, ports: Ports): Promise<Attestation> {
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') {
    const claims = await verifyIdToken(stamp.token, ports);
    if (!bindsKey(claims, stamp.publicKeyText)) {
      fail('attestation_invalid', { reason: 'the token was made for another key' });
    }
    const { issuer, audience, subject, tokenId } = claims;
    return { kind: 'identity', identity: { issuer, audience, subject }, tokenId };
  }
  const publicKey = ports.serviceKeys.publicKey('verifier');
  const { claims, refusal } = readVerificationToken(stamp.token, { publicKey, now: ports.clock() });
  if (claims === undefined) fail('attestation_invalid', { reason: refusal });
  if (claims.publicKey.toLowerCase() !== stamp.publicKeyText.toLowerCase()) {
    fail('attestation_invalid', { reason: 'the token was made for another key' });
  }
  const otpType = otpTypes.find((type) => type === claims.verificationType);
  if (otpType === undefined) fail('attestation_invalid', { reason: 'unknown verification type' });
  const { contact, organizationId, id, expiresAtMs } = claims;
  return { kind: 'contact', otpType, contact, organizationId, token: { id, expiresAtMs } };
}

/** Opens a read-only session that this service sealed. Raises `session_invalid`, `session_expired`. */
function openSession(
  text: string,
  { serviceKeys, clock }: Pick<Ports, 'serviceKeys' | 'clock'>,
): ReadOnlySession {
  // Only this service can seal it, so its form needs no check.
  const session = serviceKeys.openToken(text) as ReadOnlySession | undefined;
  if (session === undefined) fail('session_invalid');
  if (clock() >= session.expiresAtMs) fail('session_expired');
  return session;
}
