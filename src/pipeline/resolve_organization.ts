// Where the holder of a credential acts who names the parent: there, or in the one child that is theirs.
// Of registrations in several places the one counts that the credential has signed for; then one that
// nobody else can do anything with; others, which anybody can make, lead nowhere by themselves.

import { verifiedContactIndexes } from '../core/auth/verifications.ts';
import { fail, ServiceError } from '../core/errors/errors.ts';
import { curveOfKeyType, identityValue, publicKeyValue } from '../core/organization/indexes.ts';
import type { Authenticator } from '../core/organization/model.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { apiKeyOfPublicKey, isExpired } from '../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../core/users/authenticators.ts';
import { isSessionKey } from '../core/users/credentials.ts';
import { callerIn, type Proven, schemeFits } from './authenticate.ts';
import { childrenOfIdentity, childrenWith } from './children.ts';
import type { Ports, Request } from './ports.ts';

type Of<K extends Proven['kind']> = Extract<Proven, { readonly kind: K }>;
type Asked = { readonly request: Request; readonly ports: Ports };

/**
 * The organization that the holder of a credential means by this one: it, or a child of it. A key that
 * has expired in one of them is in nobody's way in another. Raises as `callerIn` does,
 * `public_key_ambiguous`, and `credential_ambiguous`.
 */
export async function homeOf(
  state: OrganizationState,
  proven: Proven,
  request: Request,
  ports: Ports,
): Promise<OrganizationState> {
  if (state.parentId !== undefined) return state;
  const asked = { request, ports };
  switch (proven.kind) {
    case 'api_key':
      return homeOfKey(state, proven, asked);
    case 'passkey':
      return homeOfPasskey(state, proven, asked);
    case 'attested':
      return homeOfAttested(state, proven, asked);
    case 'session':
      return homeOfSession(state, proven, asked);
  }
}

async function homeOfKey(
  state: OrganizationState,
  { stamp, publicKeyHex }: Of<'api_key'>,
  { ports }: Asked,
): Promise<OrganizationState> {
  const now = ports.clock();
  const keyIn = (organization: OrganizationState) =>
    apiKeyOfPublicKey(viewOf(organization), publicKeyHex);
  const isAlive = (organization: OrganizationState): boolean => {
    const key = keyIn(organization);
    return key !== undefined && schemeFits(key, stamp) && !isExpired(key, now);
  };
  const isHere = isAlive(state);
  if (isHere && keyIn(state)?.leads === 'proven') return state;

  const value = publicKeyValue(publicKeyHex, curveOfKeyType(stamp.credentialType));
  const provenIn = await childrenWith(state.id, { index: 'child_proven_public_key', value }, ports);
  const [child, second] = provenIn.filter(isAlive);
  if (second !== undefined) fail('public_key_ambiguous', { publicKey: publicKeyHex });
  if (child !== undefined) return child;
  const aloneIn = await childrenWith(state.id, { index: 'child_alone_public_key', value }, ports);
  const alone = aloneIn.find(isAlive);
  if (alone !== undefined || isHere) return alone ?? state;
  // Clients make the key of a session for it, so nobody knows it before the login that names it.
  const registered = { index: 'child_public_key', value: publicKeyHex } as const;
  const registeredIn = await childrenWith(state.id, registered, ports);
  const isSession = (child: OrganizationState) => {
    const key = keyIn(child);
    return key !== undefined && isSessionKey(key);
  };
  const sessionIn = registeredIn.filter(isSession);
  // Where the key has expired everywhere, that is what there is to say.
  return sessionIn.find(isAlive) ?? provenIn[0] ?? aloneIn[0] ?? sessionIn[0] ?? state;
}

/**
 * Nobody knows the public key of a passkey before its holder registers it, so of registrations that
 * have signed for nothing the first one counts. Registered with another key, an id leads nowhere.
 */
async function homeOfPasskey(
  state: OrganizationState,
  proven: Of<'passkey'>,
  asked: Asked,
): Promise<OrganizationState> {
  const { credentialId: value } = proven.stamp;
  const find = (index: 'child_proven_credential_id' | 'child_credential_id') =>
    childrenWith(state.id, { index, value }, asked.ports);
  const isHere = await verifiesIn(state, proven, asked);
  if (isHere && passkeyIn(state, value)?.leads === 'proven') return state;

  const provenIn = await verifying(await find('child_proven_credential_id'), proven, asked);
  const [child, second] = provenIn;
  if (second !== undefined) fail('credential_ambiguous', { what: 'a credential ID' });
  if (child !== undefined) return child;
  const registeredIn = await find('child_credential_id');
  const children = await verifying(registeredIn, proven, asked);
  const alone = children.find((each) => passkeyIn(each, value)?.leads === 'alone');
  if (alone !== undefined) return alone;
  const idIn = (organization: OrganizationState) => passkeyIn(organization, value)?.id ?? '';
  const [first] = [...(isHere ? [state] : []), ...children].sort((a, b) =>
    idIn(a) < idIn(b) ? -1 : 1,
  );
  if (first !== undefined) return first;
  // Where it verifies nowhere, the caller is told why.
  return passkeyIn(state, value) === undefined ? (registeredIn[0] ?? state) : state;
}

function passkeyIn(state: OrganizationState, credentialId: string): Authenticator | undefined {
  return authenticatorOfCredentialId(viewOf(state), credentialId);
}

async function verifying(
  children: readonly OrganizationState[],
  proven: Of<'passkey'>,
  asked: Asked,
): Promise<readonly OrganizationState[]> {
  const verifies = await Promise.all(children.map((child) => verifiesIn(child, proven, asked)));
  return children.filter((_, i) => verifies[i]);
}

async function verifiesIn(
  state: OrganizationState,
  proven: Of<'passkey'>,
  { request, ports }: Asked,
): Promise<boolean> {
  try {
    return (await callerIn(state, proven, request, ports)) !== undefined;
  } catch (error) {
    const isOfAnother =
      error instanceof ServiceError &&
      (error.code === 'webauthn_signature_invalid' || error.code === 'webauthn_origin_not_allowed');
    if (isOfAnother) return false;
    throw error;
  }
}

async function homeOfAttested(
  state: OrganizationState,
  proven: Of<'attested'>,
  { request, ports }: Asked,
): Promise<OrganizationState> {
  const { attestation } = proven;
  const only = (children: readonly OrganizationState[]): OrganizationState | undefined => {
    if (children.length > 1) fail('credential_ambiguous', { what: 'an identity' });
    return children[0];
  };
  const here = await callerIn(state, proven, request, ports);
  if (attestation.kind === 'contact') {
    if (here !== undefined) return state;
    // Whoever only claimed a contact must not draw its true holder into an organization.
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

async function homeOfSession(
  state: OrganizationState,
  { session }: Of<'session'>,
  { ports }: Asked,
): Promise<OrganizationState> {
  if (session.organizationId === state.id) return state;
  const { state: child } = await ports.repository.organization(session.organizationId);
  const isChild = child?.parentId === state.id && child.head.deletedAtMs === undefined;
  return isChild ? child : state;
}
