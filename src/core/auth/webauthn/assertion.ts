// Verifies that a passkey signed the body of a request (Web Authentication Level 3, section 7.2).

import { base64url, bytesOfBase64url, concatBytes, hex, utf8 } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { verifyRs256 } from '../../crypto/rs256.ts';
import { ecdsaSignatureOfDer } from '../../crypto/signature_der.ts';
import { verifyP256 } from '../../crypto/verify.ts';
import { assert, fail } from '../../errors/errors.ts';
import type { Authenticator } from '../../organization/model.ts';
import {
  type AuthenticatorData,
  readAuthenticatorData,
  requireBackupFlags,
} from './authenticator_data.ts';
import {
  type ClientData,
  isAllowedOrigin,
  isSameChallenge,
  readClientData,
} from './client_data.ts';
import { type CoseKey, readCoseKey } from './cose_key.ts';
import type { Refuse } from './refuse.ts';
import type { WebAuthnStamp } from './stamp.ts';

type Assertion = {
  readonly stamp: Pick<WebAuthnStamp, 'authenticatorData' | 'clientDataJson' | 'signature'>;
  /** The registered credential. */
  readonly credential: Pick<Authenticator, 'publicKey' | 'rpIdHash'>;
  /** The origins whose pages may request signatures. Default: all origins. */
  readonly allowedOrigins: readonly string[] | undefined;
};

/**
 * Verifies that the registered passkey signed this body: at a page of an allowed origin, for its relying
 * party, with user presence. `body` is the raw body of the request. The signature counter is ignored, because
 * passkeys on several devices have none. Raises `webauthn_signature_invalid`, and
 * `webauthn_origin_not_allowed` if only the origin is wrong.
 */
export function verifyAssertion({ body, ...assertion }: Assertion & { body: Uint8Array }): void {
  verifyAssertionOfChallenge({ ...assertion, challenge: stampChallenge(body) });
}

/** `challenge` of the client data for a body: base64url of the hex digits of its SHA-256. */
export function stampChallenge(body: Uint8Array): string {
  return base64url(utf8(hex(sha256(body))));
}

/** Verifies an assertion over another challenge (base64url). See `verifyAssertion`. */
export function verifyAssertionOfChallenge({
  stamp,
  challenge,
  credential,
  allowedOrigins,
}: Assertion & { challenge: string }): void {
  // Until the signature is verified, refusals depend only on the stamp.
  const clientData = readClientData(stamp.clientDataJson, invalid);
  requireClientData(clientData, challenge);
  const authenticatorData = readAuthenticatorData(stamp.authenticatorData, invalid);
  requireSignature(stamp, registeredKey(credential.publicKey));
  requireAuthenticatorData(authenticatorData, credential.rpIdHash);
  requireOrigin(clientData, allowedOrigins);
}

function requireClientData({ type, challenge }: ClientData, expectedChallenge: string): void {
  if (type !== 'webauthn.get') invalid('expected client data of the type `webauthn.get`');
  if (!isSameChallenge(challenge, expectedChallenge)) {
    invalid('the challenge that was signed is not that of this body');
  }
}

function requireSignature(stamp: Assertion['stamp'], key: CoseKey): void {
  const message = concatBytes(stamp.authenticatorData, sha256(stamp.clientDataJson));
  if (!isSignature(key, stamp.signature, message)) {
    invalid('the signature is not that of the registered passkey over this body');
  }
}

function isSignature(key: CoseKey, signature: Uint8Array, message: Uint8Array): boolean {
  if (key.algorithm === 'RS256') return verifyRs256(key, signature, message);
  const numbers = ecdsaSignatureOfDer(signature);
  return numbers !== undefined && verifyP256(key.publicKey, numbers, message);
}

function requireAuthenticatorData(data: AuthenticatorData, expected: string) {
  const { rpIdHash, flags } = data;
  if (base64url(rpIdHash) !== expected) {
    invalid('the passkey was registered with another relying party id');
  }
  if (!flags.userPresent) invalid('the user-present flag is not set');
  requireBackupFlags(data, invalid);
}

function requireOrigin({ origin }: ClientData, allowedOrigins: readonly string[] | undefined) {
  if (isAllowedOrigin(origin, allowedOrigins)) return;
  fail('webauthn_origin_not_allowed', { origin, allowedOrigins: allowedOrigins?.join(', ') ?? '' });
}

function invalid(reason: string): never {
  return fail('webauthn_signature_invalid', { reason });
}

/** Registration accepts only these keys. */
function registeredKey(text: string): CoseKey {
  const bytes = bytesOfBase64url(text);
  assert(bytes !== undefined, 'a registered public key is base64url');
  const refuse: Refuse = (reason) => {
    assert(false, `a registered public key can be read: ${reason}`);
  };
  return readCoseKey(bytes, refuse);
}
