// Resolves which organization a request acts in when it names a parent: the parent, or the caller's
// sub-organization. Several organizations may have registered the credential. An organization in which the
// credential has signed counts first, then the parent for its own users. A sub-organization in which no other
// person can act follows.

import { verifiedContactIndexes } from '../core/auth/verifications.ts';
import { fail, ServiceError } from '../core/errors/errors.ts';
import {
  curveOfKeyType,
  identityValue,
  publicKeyValue,
} from '../core/organization/indexes/indexes.ts';
import type { Authenticator } from '../core/organization/model.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { apiKeyOfPublicKey, isExpired } from '../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../core/users/authenticators.ts';
import { isSessionKey } from '../core/users/credentials.ts';
import { comesFirst } from '../core/users/sign_in_links.ts';
import { childrenOfIdentity, childrenWith, findChildByCredential } from './children.ts';
import { findCaller, findCallerOrRefusal, schemeFits } from './find_caller.ts';
import { requireActive } from './load.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Ports, Request } from './ports.ts';
import type { StampOf, VerifiedStamp } from './verify_stamp.ts';

type Lookup = { readonly request: Request; readonly ports: Ports };

/**
 * Returns the organization of a credential that names this one: itself, or a child. An expired key in one of
 * them does not hide a valid key in another. Raises the errors of `findCaller`, `public_key_ambiguous`, and
 * `credential_ambiguous`.
 */
export async function resolveOrganization(
  state: OrganizationState,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
): Promise<OrganizationState> {
  if (state.parentId !== undefined) return state;
  const lookup = { request, ports };
  switch (verified.kind) {
    case 'api_key':
      return organizationOfKey(state, verified, lookup);
    case 'passkey':
      return organizationOfPasskey(state, verified, lookup);
    case 'attested':
      return organizationOfAttested(state, verified, lookup);
    case 'session':
      return organizationOfSession(state, verified, lookup);
  }
}

/**
 * Like `resolveOrganization`, but a user of the named organization reads the records that it has there.
 * `hasRecord` returns true for such a record. A credential alone does not lead there, because any user of the
 * organization can register the public key of another person.
 */
export async function resolveByRecord(
  state: OrganizationState,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
  hasRecord: () => Promise<boolean>,
): Promise<OrganizationState> {
  if (state.parentId !== undefined) return state;
  const isRead = (await isHeldIn(state, verified, { request, ports })) && (await hasRecord());
  return isRead ? state : resolveOrganization(state, verified, request, ports);
}

/**
 * Returns the id of the organization that a submission acts in: the named one, or the child of it in which
 * the credential lives, or the child that the parameters identify. Raises `organization_not_found`, and the
 * errors of `resolveOrganization`.
 */
export async function resolveActingOrganization(
  parsed: ParsedActivity | ParsedVote,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
): Promise<string> {
  const { organizationId } = parsed;
  if (parsed.kind === 'vote') return organizationId;
  const { findsChild, childEntry } = parsed.operation;
  if (findsChild !== true && childEntry === undefined) return organizationId;
  const { state: found } = await ports.repository.organization(organizationId);
  const state = requireActive(found, organizationId);
  if (childEntry === undefined) {
    return (await resolveOrganization(state, verified, request, ports)).id;
  }
  const isHere = (await findCaller(state, verified, request, ports)) !== undefined;
  if (!isHere || state.parentId !== undefined) return organizationId;
  // After the signature check, so that strangers learn nothing about accounts.
  const entry = childEntry(parsed.parameters);
  return (
    (await findChildByCredential(organizationId, entry, 'an identity', ports)) ?? organizationId
  );
}

async function organizationOfKey(
  state: OrganizationState,
  { stamp, publicKeyHex }: StampOf<'api_key'>,
  { ports }: Lookup,
): Promise<OrganizationState> {
  const now = ports.clock();
  const keyIn = (organization: OrganizationState) =>
    apiKeyOfPublicKey(viewOf(organization), publicKeyHex);
  const isAlive = (organization: OrganizationState): boolean => {
    const key = keyIn(organization);
    return key !== undefined && schemeFits(key, stamp) && !isExpired(key, now);
  };
  const here = isAlive(state) ? keyIn(state) : undefined;
  if (here?.leads === 'proven') return state;

  const value = publicKeyValue(publicKeyHex, curveOfKeyType(stamp.credentialType));
  const provenIn = await childrenWith(state.id, { index: 'child_proven_public_key', value }, ports);
  const [child, second] = provenIn.filter(isAlive);
  if (second !== undefined) fail('public_key_ambiguous', { publicKey: publicKeyHex });
  if (child !== undefined) return child;
  const aloneIn = await childrenWith(state.id, { index: 'child_alone_public_key', value }, ports);
  const alone = aloneIn.find(isAlive);
  if (here !== undefined && comesFirst(here, alone && keyIn(alone))) return state;
  if (alone !== undefined) return alone;
  // Clients generate the key of a session for one login, so no other party knows it before.
  const registered = { index: 'child_public_key', value: publicKeyHex } as const;
  const registeredIn = await childrenWith(state.id, registered, ports);
  const isSession = (child: OrganizationState) => {
    const key = keyIn(child);
    return key !== undefined && isSessionKey(key);
  };
  const sessionIn = registeredIn.filter(isSession);
  // If the key has expired everywhere, the error must report the expiry.
  return sessionIn.find(isAlive) ?? provenIn[0] ?? aloneIn[0] ?? sessionIn[0] ?? state;
}

/**
 * A passkey's public key is unknown before its holder registers it. So the oldest registration counts if the
 * passkey has signed in no organization. An id that was registered with another key matches no organization.
 */
async function organizationOfPasskey(
  state: OrganizationState,
  verified: StampOf<'passkey'>,
  lookup: Lookup,
): Promise<OrganizationState> {
  const { credentialId: value } = verified.stamp;
  const find = (index: 'child_proven_credential_id' | 'child_credential_id') =>
    childrenWith(state.id, { index, value }, lookup.ports);
  const here = (await isHeldIn(state, verified, lookup)) ? passkeyIn(state, value) : undefined;
  if (here?.leads === 'proven') return state;

  const provenIn = await verifying(await find('child_proven_credential_id'), verified, lookup);
  const [child, second] = provenIn;
  if (second !== undefined) fail('credential_ambiguous', { what: 'a credential ID' });
  if (child !== undefined) return child;
  const registeredIn = await find('child_credential_id');
  // Children are in the order of their registrations.
  const [oldest] = await verifying(registeredIn, verified, lookup);
  if (here !== undefined && comesFirst(here, oldest && passkeyIn(oldest, value))) return state;
  if (oldest !== undefined) return oldest;
  // The credential verifies nowhere; the caller gets the reason.
  return passkeyIn(state, value) === undefined ? (registeredIn[0] ?? state) : state;
}

function passkeyIn(state: OrganizationState, credentialId: string): Authenticator | undefined {
  return authenticatorOfCredentialId(viewOf(state), credentialId);
}

async function verifying(
  children: readonly OrganizationState[],
  verified: StampOf<'passkey'>,
  lookup: Lookup,
): Promise<readonly OrganizationState[]> {
  const verifies = await Promise.all(children.map((child) => isHeldIn(child, verified, lookup)));
  return children.filter((_, i) => verifies[i]);
}

/** Returns true if a user of this organization holds the credential and may use it. */
async function isHeldIn(
  state: OrganizationState,
  verified: VerifiedStamp,
  { request, ports }: Lookup,
): Promise<boolean> {
  const found = await findCallerOrRefusal(state, verified, request, ports);
  return found !== undefined && !(found instanceof ServiceError);
}

async function organizationOfAttested(
  state: OrganizationState,
  verified: StampOf<'attested'>,
  { request, ports }: Lookup,
): Promise<OrganizationState> {
  const { attestation } = verified;
  const only = (children: readonly OrganizationState[]): OrganizationState | undefined => {
    if (children.length > 1) fail('credential_ambiguous', { what: 'an identity' });
    return children[0];
  };
  const here = await findCaller(state, verified, request, ports);
  if (attestation.kind === 'contact') {
    if (here !== undefined) return state;
    // A claimed contact must not lead its owner into the claimant's organization.
    const index = verifiedContactIndexes[attestation.otpType];
    const value = attestation.contact;
    return only(await childrenWith(state.id, { index, value }, ports)) ?? state;
  }
  const provider = here && state.records.oauth_provider.get(here.credential.id);
  if (provider?.leads === 'proven') return state;
  const value = identityValue(attestation.identity);
  if (here === undefined) return only(await childrenOfIdentity(state.id, value, ports)) ?? state;
  const entry = { index: 'child_proven_identity', value } as const;
  return only(await childrenWith(state.id, entry, ports)) ?? state;
}

async function organizationOfSession(
  state: OrganizationState,
  { session }: StampOf<'session'>,
  { ports }: Lookup,
): Promise<OrganizationState> {
  if (session.organizationId === state.id) return state;
  const { state: child } = await ports.repository.organization(session.organizationId);
  const isChild = child?.parentId === state.id && child.head.deletedAtMs === undefined;
  return isChild ? child : state;
}
