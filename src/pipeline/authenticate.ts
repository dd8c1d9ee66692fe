// Who asks: exactly one authentication header, its proof over the raw body, and the user whose
// credential it is, in the organization the request names, in its parent, or in one of its children.

import { type AttestedStamp, parseAttestedStamp } from '../core/auth/attested_stamp.ts';
import { parseStamp, type Stamp } from '../core/auth/stamp.ts';
import { verifiedContactIndexes } from '../core/auth/verifications.ts';
import { verifyAssertion } from '../core/auth/webauthn_assertion.ts';
import { parseWebAuthnStamp, type WebAuthnStamp } from '../core/auth/webauthn_stamp.ts';
import { base64url, hex } from '../core/base/bytes.ts';
import { type AuthenticationType, otpTypes } from '../core/base/enums.ts';
import { assert, fail } from '../core/errors/errors.ts';
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
import type { ReadOnlySession } from '../core/users/read_only_session.ts';
import { usersOfContact } from '../core/users/user_contacts.ts';
import type { Caller } from '../operations/operation.ts';
import type { Ports, Request, SignedStamp } from './ports.ts';
import { openSession } from './read_only_session.ts';
import { type Attestation, proveAttestation } from './verify_stamp.ts';

/**
 * The authentication of a request, proven as far as it goes without knowing the organization: an API
 * key's signature, a token with the signature of the key it names, a session; a passkey's signature is
 * checked once its public key is found.
 */
export type Proven =
  | { readonly kind: 'api_key'; readonly stamp: Stamp; readonly publicKeyHex: string }
  | { readonly kind: 'passkey'; readonly stamp: WebAuthnStamp }
  | {
      readonly kind: 'attested';
      readonly stamp: AttestedStamp;
      readonly attestation: Attestation;
    }
  | { readonly kind: 'session'; readonly session: ReadOnlySession };

type Kind = Proven['kind'];
type Of<K extends Kind> = Extract<Proven, { readonly kind: K }>;

/** What the users of one organization are looked up with. */
type Lookup = {
  readonly state: OrganizationState;
  readonly request: Request;
  readonly ports: Ports;
};

/**
 * Reads the one authentication header and proves what it can. Raises `stamp_missing`,
 * `stamp_ambiguous`, `stamp_malformed`, `stamp_signature_invalid`, `webauthn_stamp_malformed`,
 * `attested_stamp_malformed`, `session_invalid`, and what tokens are refused with.
 */
export async function prove(request: Request, ports: Ports): Promise<Proven> {
  const { name, value } = authenticationHeader(request);
  return readers[name](value, request, ports);
}

/**
 * The user in this organization who holds the proven credential. Raises `api_key_expired`,
 * `webauthn_signature_invalid`, `webauthn_origin_not_allowed`, `credential_ambiguous`,
 * `login_disabled`, `address_not_allowed`.
 */
export async function callerIn(
  state: OrganizationState,
  proven: Proven,
  request: Request,
  ports: Ports,
): Promise<Caller | undefined> {
  if (proven.kind === 'api_key') return callerByApiKey(state, proven, request, ports.clock());
  const caller = await callerByOther({ state, request, ports }, proven);
  return caller && fromAllowedAddress(caller, state, request);
}

/** The same for API keys alone, without waiting. Raises `api_key_expired`, `address_not_allowed`. */
export function callerByApiKey(
  state: OrganizationState,
  proven: Of<'api_key'>,
  request: Pick<Request, 'remoteAddress' | 'isOwn'>,
  now: number,
): Caller | undefined {
  const apiKey = apiKeyOfPublicKey(viewOf(state), proven.publicKeyHex);
  if (apiKey === undefined || !schemeFits(apiKey, proven.stamp)) return undefined;
  if (isExpired(apiKey, now)) fail('api_key_expired', { publicKey: apiKey.publicKey });
  const user = state.records.user.get(apiKey.userId);
  assert(user !== undefined, 'an API key belongs to a user');
  const { scheme, publicKeyText, signatureText } = proven.stamp;
  const caller = {
    organizationId: state.id,
    user,
    credential: credentialOfApiKey(apiKey),
    stamp: { scheme, publicKeyText, signatureText },
  };
  return fromAllowedAddress(caller, state, request);
}

/** Where the request of a credential comes from. */
export function originOf(
  { method, publicKey }: Credential,
  { remoteAddress, isOwn = false }: Pick<Request, 'remoteAddress' | 'isOwn'>,
): Origin {
  const isKey = keyMethods.includes(method.type);
  return { address: remoteAddress, publicKey: isKey ? publicKey : undefined, isOwn };
}

/** Methods whose credential is an API key, and may have a list of addresses of its own. */
const keyMethods: readonly AuthenticationType[] = [
  'AUTHENTICATION_TYPE_API_KEY',
  'AUTHENTICATION_TYPE_SESSION',
];

/** The organization a request names, if it lives. Raises `organization_not_found`. */
export function requireLiving(
  state: OrganizationState | undefined,
  organizationId: string,
): OrganizationState {
  if (state === undefined || state.head.deletedAtMs !== undefined) {
    return fail('organization_not_found', { organizationId });
  }
  return state;
}

/** The user of the parent who holds the proven credential, with the parent. */
export async function callerInParent(
  state: OrganizationState,
  proven: Proven,
  request: Request,
  ports: Ports,
): Promise<{ readonly caller: Caller; readonly parent: OrganizationState } | undefined> {
  if (state.parentId === undefined) return undefined;
  const parent = (await ports.repository.organization(state.parentId)).state;
  if (parent === undefined) return undefined;
  const caller = await callerIn(parent, proven, request, ports);
  return caller === undefined ? undefined : { caller, parent };
}

/** Refuses a credential that nobody here holds. */
export function failUnknown(organizationId: string, proven: Proven): never {
  switch (proven.kind) {
    case 'api_key':
      return fail('public_key_not_found', { organizationId, publicKey: proven.publicKeyHex });
    case 'passkey': {
      const { credentialId } = proven.stamp;
      return fail('credential_not_found', { organizationId, credentialId });
    }
    case 'attested':
      return fail('identity_not_found', { organizationId });
    case 'session':
      return fail('session_invalid');
  }
}

type HeaderName = 'x-stamp' | 'x-stamp-webauthn' | 'x-stamp-attested' | 'x-session';

const readers: Readonly<
  Record<HeaderName, (value: string, request: Request, ports: Ports) => Promise<Proven>>
> = {
  'x-stamp': async (value, { body }, ports) => {
    const stamp = parseStamp(value);
    if (!(await ports.verifyStamp(stamp, body))) fail('stamp_signature_invalid');
    return { kind: 'api_key', stamp, publicKeyHex: hex(stamp.publicKey) };
  },
  'x-stamp-webauthn': async (header) => {
    return { kind: 'passkey', stamp: parseWebAuthnStamp(header) };
  },
  'x-stamp-attested': async (value, { body }, ports) => {
    const stamp = parseAttestedStamp(value);
    if (!(await ports.verifyStamp(asApiKeyStamp(stamp), body))) fail('stamp_signature_invalid');
    return { kind: 'attested', stamp, attestation: await proveAttestation(stamp, ports) };
  },
  'x-session': async (value, _request, ports) => {
    return { kind: 'session', session: openSession(value, ports) };
  },
};

function authenticationHeader({ headers }: Request): { name: HeaderName; value: string } {
  const stamps = headers.filter(({ name }) => name.startsWith('x-stamp'));
  // A session may accompany a stamp; alone it is a credential of its own.
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

/** The assertion as a vote keeps it: its members in base64url, as JSON. */
function assertionText(stamp: WebAuthnStamp): string {
  return JSON.stringify({
    credentialId: stamp.credentialId,
    authenticatorData: base64url(stamp.authenticatorData),
    clientDataJson: base64url(stamp.clientDataJson),
    signature: base64url(stamp.signature),
  });
}

/** The key of an attested stamp signs as an API key of P-256 does. */
function asApiKeyStamp({ publicKey, signature }: AttestedStamp): SignedStamp {
  return { scheme: 'SIGNATURE_SCHEME_TK_API_P256', algorithm: 'p256', publicKey, signature };
}

async function callerByPasskey(
  { state, request, ports }: Lookup,
  { stamp }: Of<'passkey'>,
): Promise<Caller | undefined> {
  const authenticator = authenticatorOfCredentialId(viewOf(state), stamp.credentialId);
  if (authenticator === undefined) return undefined;
  const user = state.records.user.get(authenticator.userId);
  assert(user !== undefined, 'a passkey belongs to a user');
  verifyAssertion({
    stamp,
    body: request.body,
    credential: authenticator,
    allowedOrigins: webauthnOriginsOf(await governing(state, ports)),
  });
  return {
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
  { stamp, attestation }: Of<'attested'>,
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
    return { organizationId: state.id, user, credential, stamp: voteStamp };
  }
  const { otpType, contact, organizationId, token } = attestation;
  // A token is good where it was issued, and in the children of that organization.
  if (organizationId !== state.id && organizationId !== state.parentId) return undefined;
  const [user, second] = usersOfContact({ otpType, contact }, viewOf(state));
  if (user === undefined) return undefined;
  // Where nobody signs in by code, whoever signs in with the contact below is meant.
  if (!isLoginOn(otpType, viewOf(state)) && (await leadsBelow(state, attestation, ports))) {
    return undefined;
  }
  if (second !== undefined) fail('credential_ambiguous', { what: 'a contact' });
  requireLogin(otpType, viewOf(state));
  const credential = credentialOfContact(user, otpType, publicKeyText);
  return credential && { organizationId: state.id, user, credential, stamp: voteStamp, token };
}

/** Whether somebody has shown to hold the contact in a child. */
async function leadsBelow(
  { id }: OrganizationState,
  { otpType, contact }: Extract<Attestation, { readonly kind: 'contact' }>,
  { repository }: Ports,
): Promise<boolean> {
  const found = await repository.childrenWith(id, verifiedContactIndexes[otpType], contact);
  return found.length > 0;
}

async function callerBySession(
  { state, ports }: Lookup,
  { session }: Of<'session'>,
): Promise<Caller | undefined> {
  if (session.organizationId !== state.id) return undefined;
  const user = state.records.user.get(session.userId);
  // The session ends with the credential that it was made with.
  const credential = heldCredential(viewOf(state), session);
  if (user === undefined || credential === undefined) return undefined;
  const apiKey = state.records.api_key.get(credential.id);
  // What could start no session any more leaves none either.
  if (apiKey !== undefined && isExpired(apiKey, ports.clock())) fail('session_expired');
  const otpType = otpTypes.find((type) => credential.id.startsWith(`${type}/`));
  if (otpType !== undefined) requireLogin(otpType, viewOf(state));
  return { organizationId: state.id, user, credential, stamp: undefined };
}

function callerByOther(
  lookup: Lookup,
  proven: Exclude<Proven, { readonly kind: 'api_key' }>,
): Promise<Caller | undefined> {
  switch (proven.kind) {
    case 'passkey':
      return callerByPasskey(lookup, proven);
    case 'attested':
      return callerByAttestation(lookup, proven);
    case 'session':
      return callerBySession(lookup, proven);
  }
}

/** Parents say from where their users ask; those of children may come from anywhere. */
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

/** Whether a key answers to the scheme of a stamp: that of its own curve alone. */
export function schemeFits(apiKey: ApiKey, stamp: Stamp): boolean {
  if (apiKey.type === stamp.credentialType) return true;
  // Keys made by logins are P-256 whatever their type says about their origin.
  return isSessionKey(apiKey) && stamp.algorithm === 'p256';
}

/** Children are governed by the features of their parent. */
async function governing(state: OrganizationState, ports: Ports): Promise<OrganizationState> {
  if (state.parentId === undefined) return state;
  const { state: parent } = await ports.repository.organization(state.parentId);
  assert(parent !== undefined, 'a child has a parent');
  return parent;
}
