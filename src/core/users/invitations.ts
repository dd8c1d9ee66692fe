// Invitations: users that an organization expects. An invitation grants no rights, is not secret, and sends
// nothing. The invited user joins like every user.

import type { Context } from '../base/context.ts';
import type { AccessType } from '../base/enums.ts';
import { fail } from '../errors/errors.ts';
import { checkEmail, contactOf } from '../organization/indexes/contacts.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Invitation } from '../organization/records/invitations.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { userTags } from '../organization/tags.ts';
import { distinctIds } from '../schema/distinct_ids.ts';

/** Parameters of an invitation. */
type InvitationParameters = {
  readonly receiverUserName: string;
  readonly receiverUserEmail: string;
  readonly receiverUserTags: readonly string[];
  readonly accessType: AccessType;
  readonly senderUserId: string;
};

/**
 * Stores an invitation by the user `submitterId`; `field` is its path in the request. Raises
 * `invitation_of_another_user`, `email_invalid`, `field_invalid`, `resource_not_found`, `limit_exceeded`.
 */
export function createInvitation(
  parameters: InvitationParameters,
  submitterId: string,
  organization: OrganizationDraft,
  { now, newId, field }: Context & { readonly field: string },
): Invitation {
  const { senderUserId, receiverUserEmail, receiverUserTags } = parameters;
  // Users cannot invite on behalf of others.
  if (senderUserId.toLowerCase() !== submitterId) {
    fail('invitation_of_another_user', { userId: senderUserId });
  }
  checkLimit('invitations', organization.rows('invitation').size + 1, organization);
  const tagIds = distinctIds(receiverUserTags, `${field}.receiverUserTags`);
  for (const id of tagIds) userTags.require(organization, id);
  const invitation: Invitation = {
    id: newId(),
    receiverName: parameters.receiverUserName,
    receiverEmail: checkEmail(receiverUserEmail, `${field}.receiverUserEmail`),
    receiverTagIds: tagIds,
    accessType: parameters.accessType,
    senderUserId: submitterId,
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.put('invitation', invitation);
  return invitation;
}

const requireInvitation = requiredRecord('invitation', 'invitation');

/** Deletes an invitation by its ID in any letter case; returns its ID. Raises `resource_not_found`. */
export function deleteInvitation(id: string, organization: OrganizationDraft): string {
  const found = requireInvitation(organization, id);
  organization.remove('invitation', found.id);
  return found.id;
}

/** Returns true if a user of the organization has verified the address; typing it does not suffice. */
export function isAccepted(
  { receiverEmail }: Pick<Invitation, 'receiverEmail'>,
  organization: OrganizationView,
): boolean {
  const email = receiverEmail.toLowerCase();
  return organization
    .list('user')
    .some((user) => user.emailVerified === true && contactOf(user, 'OTP_TYPE_EMAIL') === email);
}
