// The user of one organization who holds the credential of a verified stamp.

import type { Stamp } from '../core/auth/stamp.ts';
import { verifiedContactIndexes } from '../core/auth/verifications.ts';
import { verifyAssertion } from '../core/auth/webauthn/assertion.ts';
import type { WebAuthnStamp } from '../core/auth/webauthn/stamp.ts';
import { base64url } from '../core/base/bytes.ts';
import { type AuthenticationType, otpTypes } from '../core/base/enums.ts';
import { assert, type ErrorCode, fail, ServiceError } from '../core/errors/errors.ts';
import type { ApiKey } from '../core/organization/model.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { isLoginOn, requireLogin, webauthnOriginsOf } from '../core/settings/features.ts';
import { type Origin, requireAddress } from '../core/settings/ip_allowlist.ts';
import { apiKeyOfPublicKey, isExpired } from '../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../core/users/authenticators.ts';
import {
  type Credential,
  credentialOfApiKey,
  credentialOfAuthenticator,
  credentialOfContact,
  credentialOfProvider,
  heldCredential,
  isSessionKey,
} from '../core/users/credentials.ts';
import { providerOfIdentity } from '../core/users/oauth_providers.ts';
import { usersOfContact } from '../core/users/user_contacts.ts';
import type { Caller, SubmittedWith } from '../operations/operation.ts';
import { parentStateOf } from './parent_of.ts';
import type { Ports, Request } from './ports.ts';
import type { Attestation, StampOf, VerifiedStamp } from './verify_stamp.ts';

/** The values under which the users of one organization are looked up. */
type Lookup = {
  readonly state: OrganizationState;
  readonly request: Request;
  readonly ports: Ports;
};

/**
 * Returns the user of this organization who holds the verified credential, or undefined. Raises
 * `api_key_expired`, `webauthn_signature_invalid`, `webauthn_origin_not_allowed`,
 * `credential_ambiguous`, `login_disabled`, `address_not_allowed`.
 */
export async function findCaller(
  state: OrganizationState,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
): Promise<Caller | undefined> {
  if (verified.kind === 'api_key') {
    return findCallerByApiKey(state, verified, request, ports.clock());
  }
  const caller = await callerByOther({ state, request, ports }, verified);
  return caller && fromAllowedAddress(caller, state, request);
}

/** Refusals of a credential that another organization may accept. */
const refusalsHere: ReadonlySet<ErrorCode> = new Set([
  'api_key_expired',
  'webauthn_origin_not_allowed',
  'webauthn_signature_invalid',
]);

/**
 * Returns the caller like `findCaller`, or the refusal of a credential that another organization may accept.
 * Examples are an API key that has expired here, and a passkey whose id has another public key here.
 */
export async function findCallerOrRefusal(
  state: OrganizationState,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
): Promise<Caller | ServiceError | undefined> {
  try {
    return await findCaller(state, verified, request, ports);
  } catch (error) {
    if (error instanceof ServiceError && refusalsHere.has(error.code)) return error;
    throw error;
  }
}

/** Like `findCaller`, synchronous and only for API keys. Raises `api_key_expired`, `address_not_allowed`. */
export function findCallerByApiKey(
  state: OrganizationState,
  verified: StampOf<'api_key'>,
  request: Pick<Request, 'remoteAddress' | 'isOwn'>,
  now: number,
): Caller | undefined {
  const apiKey = apiKeyOfPublicKey(viewOf(state), verified.publicKeyHex);
  if (apiKey === undefined || !schemeFits(apiKey, verified.stamp)) return undefined;
  if (isExpired(apiKey, now)) fail('api_key_expired', { publicKey: apiKey.publicKey });
  const user = state.records.user.get(apiKey.userId);
  assert(user !== undefined, 'an API key belongs to a user');
  const { scheme, publicKeyText, signatureText } = verified.stamp;
  const caller = {
    organizationId: state.id,
    user,
    credential: credentialOfApiKey(apiKey),
    stamp: { scheme, publicKeyText, signatureText },
  };
  return fromAllowedAddress(caller, state, request);
}

/** Rejects an API key that expired since the caller was found. Raises `api_key_expired`. */
export function requireUnexpired(
  { organizationId, credential }: Caller,
  states: readonly (OrganizationState | undefined)[],
  now: number,
): void {
  const home = states.find((state) => state?.id === organizationId);
  const apiKey = home?.records.api_key.get(credential.id);
  if (apiKey === undefined || !isExpired(apiKey, now)) return;
  fail('api_key_expired', { publicKey: apiKey.publicKey });
}

/** Returns the origin of a credential's request. */
export function originOf(
  { method, publicKey }: Credential,
  { remoteAddress, isOwn = false }: Pick<Request, 'remoteAddress' | 'isOwn'>,
): Origin {
  const isKey = keyMethods.includes(method.type);
  return { address: remoteAddress, publicKey: isKey ? publicKey : undefined, isOwn };
}

/** Returns the credential and stamp of an activity's submission. */
export function submittedWith({ credential, stamp }: Caller): SubmittedWith {
  return { credentialId: credential.id, publicKey: stamp?.publicKeyText ?? '' };
}

/** Methods whose credential is an API key, which may have its own list of addresses. */
const keyMethods: readonly AuthenticationType[] = [
  'AUTHENTICATION_TYPE_API_KEY',
  'AUTHENTICATION_TYPE_SESSION',
];

/** Encodes the assertion for a vote, as JSON with base64url members. */
function assertionText(stamp: WebAuthnStamp): string {
  return JSON.stringify({
    credentialId: stamp.credentialId,
    authenticatorData: base64url(stamp.authenticatorData),
    clientDataJson: base64url(stamp.clientDataJson),
    signature: base64url(stamp.signature),
  });
}

async function callerByPasskey(
  { state, request, ports }: Lookup,
  { stamp }: StampOf<'passkey'>,
): Promise<Caller | undefined> {
  const authenticator = authenticatorOfCredentialId(viewOf(state), stamp.credentialId);
  if (authenticator === undefined) return undefined;
  const user = state.records.user.get(authenticator.userId);
  assert(user !== undefined, 'a passkey belongs to a user');
  const governedBy = await governing(state, ports);
  verifyAssertion({
    stamp,
    body: request.body,
    credential: authenticator,
    allowedOrigins: webauthnOriginsOf(governedBy),
  });
  return {
    ...(governedBy === state ? {} : { governedBy }),
    organizationId: state.id,
    user,
    credential: credentialOfAuthenticator(authenticator),
    stamp: {
      scheme: 'SIGNATURE_SCHEME_TK_WEBAUTHN',
      publicKeyText: authenticator.publicKey,
      signatureText: assertionText(stamp),
    },
  };
}

async function callerByAttestation(
  { state, ports }: Lookup,
  { stamp, attestation }: StampOf<'attested'>,
): Promise<Caller | undefined> {
  const { publicKeyText, signatureText } = stamp;
  const voteStamp = {
    scheme: 'SIGNATURE_SCHEME_TK_ATTESTED_P256',
    publicKeyText,
    signatureText,
  } as const;
  if (attestation.kind === 'identity') {
    const provider = providerOfIdentity(viewOf(state), attestation.identity);
    const user = provider && state.records.user.get(provider.userId);
    if (provider === undefined || user === undefined) return undefined;
    const credential = credentialOfProvider(provider, publicKeyText);
    const { tokenId: idTokenId } = attestation;
    return { organizationId: state.id, user, credential, stamp: voteStamp, idTokenId };
  }
  const { otpType, contact, organizationId, token } = attestation;
  // A token is good where it was issued, and in the children of that organization.
  if (organizationId !== state.id && organizationId !== state.parentId) return undefined;
  const [user, second] = usersOfContact({ otpType, contact }, viewOf(state));
  if (user === undefined) return undefined;
  // If logins by code are off, a verified contact in a child takes precedence.
  if (
    !isLoginOn(otpType, viewOf(state)) &&
    (await hasVerifiedContactInChild(state, attestation, ports))
  ) {
    return undefined;
  }
  if (second !== undefined) fail('credential_ambiguous', { what: 'a contact' });
  requireLogin(otpType, viewOf(state));
  const credential = credentialOfContact(user, otpType, publicKeyText);
  return credential && { organizationId: state.id, user, credential, stamp: voteStamp, token };
}

/** Returns whether a child has a user who has proven to hold the contact. */
async function hasVerifiedContactInChild(
  { id }: OrganizationState,
  { otpType, contact }: Extract<Attestation, { readonly kind: 'contact' }>,
  { repository }: Ports,
): Promise<boolean> {
  const found = await repository.childrenWith(id, verifiedContactIndexes[otpType], contact);
  return found.length > 0;
}

async function callerBySession(
  { state, ports }: Lookup,
  { session }: StampOf<'session'>,
): Promise<Caller | undefined> {
  if (session.organizationId !== state.id) return undefined;
  const user = state.records.user.get(session.userId);
  // A session ends with the credential that started it.
  const credential = heldCredential(viewOf(state), session);
  if (user === undefined || credential === undefined) return undefined;
  const apiKey = state.records.api_key.get(credential.id);
  // Sessions end when their credential can no longer start a session.
  if (apiKey !== undefined && isExpired(apiKey, ports.clock())) fail('session_expired');
  const otpType = otpTypes.find((type) => credential.id.startsWith(`${type}/`));
  if (otpType !== undefined) requireLogin(otpType, viewOf(state));
  return { organizationId: state.id, user, credential, stamp: undefined };
}

function callerByOther(
  lookup: Lookup,
  verified: Exclude<VerifiedStamp, StampOf<'api_key'>>,
): Promise<Caller | undefined> {
  switch (verified.kind) {
    case 'passkey':
      return callerByPasskey(lookup, verified);
    case 'attested':
      return callerByAttestation(lookup, verified);
    case 'session':
      return callerBySession(lookup, verified);
  }
}

/** Rejects a disallowed address in a parent organization. Users of children may call from any address. */
function fromAllowedAddress(
  caller: Caller,
  state: OrganizationState,
  request: Pick<Request, 'remoteAddress' | 'isOwn'>,
): Caller {
  if (state.parentId === undefined) {
    requireAddress(viewOf(state), originOf(caller.credential, request));
  }
  return caller;
}

/** Returns true if a key's curve matches the scheme of a stamp. */
export function schemeFits(apiKey: ApiKey, stamp: Stamp): boolean {
  if (apiKey.type === stamp.credentialType) return true;
  // Keys made by logins are P-256 for every type of login.
  return isSessionKey(apiKey) && stamp.algorithm === 'p256';
}

/** Children are governed by the features of their parent. */
async function governing(state: OrganizationState, ports: Ports): Promise<OrganizationState> {
  return (await parentStateOf(state, ports)) ?? state;
}
