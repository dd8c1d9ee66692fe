// Reads a new passkey in the form that browsers return (Web Authentication Level 3, section 7.1).

import { base64url, bytesOfBase64url, equalBytes } from '../../base/bytes.ts';
import type { Transport } from '../../base/enums.ts';
import { failField, isRefusal } from '../../errors/errors.ts';
import type { Authenticator } from '../../organization/model.ts';
import { readAttestationMembers } from './attestation_cbor.ts';
import {
  type AttestedCredential,
  readAuthenticatorData,
  requireBackupFlags,
} from './authenticator_data.ts';
import { modelOfAaguid } from './authenticator_models.ts';
import { decodeCbor } from './cbor.ts';
import { isAllowedOrigin, isSameChallenge, readClientData } from './client_data.ts';
import { readCoseKey } from './cose_key.ts';
import type { Refuse } from './refuse.ts';

export type Registration = {
  /** The challenge that the page requested, as the browser repeats it. */
  readonly challenge: string;
  readonly attestation: {
    /** The raw id, base64url. */
    readonly credentialId: string;
    /** In base64url. */
    readonly clientDataJson: string;
    /** In base64url. */
    readonly attestationObject: string;
    readonly transports: readonly Transport[];
  };
};

export type RegisteredPasskey = Pick<
  Authenticator,
  'credentialId' | 'publicKey' | 'aaguid' | 'attestationType' | 'rpIdHash' | 'model' | 'transports'
>;

/**
 * Reads a registration; `field` is its path in the request. The device's own statements (model, transports,
 * relying party) are accepted unverified, since most passkeys have no attestation. The request itself
 * authorizes the passkey. Raises `field_invalid`.
 */
export function readRegistration(
  { challenge, attestation }: Registration,
  field: string,
  allowedOrigins: readonly string[] | undefined,
): RegisteredPasskey {
  const refuseIn = (member: string): Refuse => {
    const path = `${field}.${member}`;
    return (reason) => failField(path, `invalid authenticator attestation: ${reason}`);
  };
  const refuseId: Refuse = refuseIn('attestation.credentialId');
  const refuseClientData: Refuse = refuseIn('attestation.clientDataJson');
  const refuseObject: Refuse = refuseIn('attestation.attestationObject');

  const clientDataJson = bytesIn(attestation.clientDataJson, refuseClientData);
  const clientData = readClientData(clientDataJson, refuseClientData);
  if (clientData.type !== 'webauthn.create') {
    refuseClientData('expected client data of the type `webauthn.create`');
  }
  if (!isSameChallenge(clientData.challenge, challenge)) {
    refuseIn('challenge')('expected the challenge that the client data repeats');
  }
  if (!isAllowedOrigin(clientData.origin, allowedOrigins)) {
    const expected = allowedOrigins?.join(', ');
    refuseClientData(`expected the origin to be one of ${expected}, got \`${clientData.origin}\``);
  }

  const object = readAttestationObject(
    bytesIn(attestation.attestationObject, refuseObject),
    refuseObject,
  );
  const data = readAuthenticatorData(object.authenticatorData, refuseObject);
  if (!data.flags.userPresent) refuseObject('the user-present flag is not set');
  requireBackupFlags(data, refuseObject);
  const credential = data.attestedCredential;
  if (credential === undefined)
    refuseObject('expected the authenticator data to hold a credential');
  requireSameId(bytesIn(attestation.credentialId, refuseId), credential, refuseId);
  readCoseKey(credential.publicKey, refuseObject);

  return {
    ...keptCredential(credential),
    aaguid: base64url(credential.aaguid),
    attestationType: object.format,
    rpIdHash: base64url(data.rpIdHash),
    model: modelOfAaguid(credential.aaguid),
    transports: attestation.transports,
  };
}

/** Returns the stored passkey of a registration without checks; undefined if it cannot be read. */
export function registeredPasskey({
  attestationObject,
}: Pick<Registration['attestation'], 'attestationObject'>):
  | Pick<RegisteredPasskey, 'credentialId' | 'publicKey'>
  | undefined {
  const unreadable: Refuse = (reason) => failField('attestationObject', reason);
  try {
    const object = readAttestationObject(bytesIn(attestationObject, unreadable), unreadable);
    const { attestedCredential } = readAuthenticatorData(object.authenticatorData, unreadable);
    return attestedCredential && keptCredential(attestedCredential);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function keptCredential({ credentialId, publicKey }: AttestedCredential) {
  return { credentialId: base64url(credentialId), publicKey: base64url(publicKey) };
}

/** Registered names of attestation formats (RFC 8809 section 2.1). */
const formatPattern = /^[!#-[\]-~]{1,32}$/;

/** Reads an attestation object (section 6.5.4). */
function readAttestationObject(
  bytes: Uint8Array,
  refuse: Refuse,
): { format: string; authenticatorData: Uint8Array } {
  const members = readAttestationMembers(bytes);
  if (members === undefined) refuse('expected a CBOR map with each name once');
  const { fmt: format, hasStatement, authData: authenticatorData } = members;
  if (format === undefined || !formatPattern.test(format)) {
    refuse('expected `fmt` as the name of a format');
  }
  if (!hasStatement) refuse('expected `attStmt` as a map');
  if (authenticatorData === undefined) refuse('expected `authData` as bytes');
  return { format, authenticatorData };
}

function requireSameId(given: Uint8Array, { credentialId }: AttestedCredential, refuse: Refuse) {
  if (idsIn(given).some((id) => equalBytes(id, credentialId))) return;
  refuse('expected the id that `attestationObject` holds');
}

/** Returns the ID. Some clients wrap it in CBOR, as older descriptions do; then also returns its content. */
function idsIn(given: Uint8Array): readonly Uint8Array[] {
  const unwrapped = decodeCbor(given)?.value;
  return unwrapped instanceof Uint8Array ? [given, unwrapped] : [given];
}

function bytesIn(text: string, refuse: Refuse): Uint8Array {
  const bytes = bytesOfBase64url(text);
  if (bytes === undefined) refuse('expected base64url');
  return bytes;
}
