// Decides which organization a credential signs in to. Users can register public keys of other people, so a
// registration counts only by actions of the key's holder or of the parent's users.

import { otpTypes } from '../base/enums.ts';
import { contactOf } from '../organization/indexes/contacts.ts';
import type { ApiKey, Authenticator, SmallRecords } from '../organization/model.ts';
import type { SignInLink } from '../organization/records/sign_in_link.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { apiKeysOfUser, removeApiKey } from './api_keys.ts';

const credentialKinds = ['api_key', 'authenticator', 'oauth_provider'] as const;
type CredentialKind = (typeof credentialKinds)[number];

/**
 * Records that a credential signed for its organization, and marks a mailed key as used. Ignores unknown
 * credentials.
 */
export function markCredentialVerified(
  credentialId: string,
  organization: OrganizationDraft,
): void {
  const key = organization.get('api_key', credentialId);
  if (key?.isUnused === true) markUsed(key, organization);
  for (const kind of credentialKinds) {
    const row = organization.get(kind, credentialId);
    if (row !== undefined) mark(kind, row, 'proven', organization);
  }
}

/**
 * The first use of a mailed key proves that its mail was read, and applies the options of the mail's request.
 */
function markUsed(key: ApiKey, organization: OrganizationDraft): void {
  const { isUnused: _unused, askedBy: _asker, endsEarlier, ...used } = key;
  organization.put('api_key', used);
  if (endsEarlier !== true) return;
  for (const other of apiKeysOfUser(organization, key.userId)) {
    if (other.type === key.type && other.id < key.id) removeApiKey(other, organization);
  }
}

/**
 * Marks the only credential of a new organization: its holder signs every later change. Does nothing if there
 * are several, or if a contact allows a login.
 */
export function markOnlyCredential(organization: OrganizationDraft): void {
  const hasContact = organization
    .list('user')
    .some((user) => otpTypes.some((type) => contactOf(user, type) !== undefined));
  const count = credentialKinds.reduce((sum, kind) => sum + organization.rows(kind).size, 0);
  if (hasContact || count !== 1) return;
  for (const kind of credentialKinds) {
    for (const row of organization.list(kind)) {
      if (row.leads === undefined) mark(kind, row, 'alone', organization);
    }
  }
}

/**
 * Marks credentials that users of the parent registered for another user of the parent. Does nothing in a
 * sub-organization, nor for credentials that the user registered without another user.
 */
export function markGiven(
  credentialIds: readonly string[],
  organization: OrganizationDraft,
  by: { readonly submitterId: string; readonly ownerId: string } | 'another user',
): void {
  if (organization.parentId !== undefined) return;
  if (by !== 'another user' && by.submitterId === by.ownerId) return;
  for (const id of credentialIds) {
    for (const kind of ['api_key', 'authenticator'] as const) {
      const row = organization.get(kind, id);
      if (row !== undefined && row.leads === undefined) mark(kind, row, 'given', organization);
    }
  }
}

/**
 * Returns true if a registration in the parent precedes one in a child in which the credential has not
 * signed. An unmarked registration counts by its age, since users can register keys of other people.
 */
export function comesFirst(
  here: Pick<ApiKey | Authenticator, 'id' | 'leads'>,
  inChild: Pick<ApiKey | Authenticator, 'id'> | undefined,
): boolean {
  return here.leads !== undefined || inChild === undefined || here.id < inChild.id;
}

function mark<Kind extends CredentialKind>(
  kind: Kind,
  row: SmallRecords[Kind],
  leads: SignInLink,
  organization: OrganizationDraft,
): void {
  if (row.leads !== leads) organization.put(kind, { ...row, leads });
}
