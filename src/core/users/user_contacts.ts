// Finds users by the contacts they sign in with.

import type { OtpType } from '../base/enums.ts';
import { fail } from '../errors/errors.ts';
import { contactOf } from '../organization/indexes/contacts.ts';
import type { User } from '../organization/model.ts';
import type { OrganizationView } from '../organization/state.ts';

/**
 * Returns the users with this contact: an e-mail address in lower case, or a phone number. Users who verified
 * it come first; other users count only without such a user, so that they cannot lock the owner out.
 */
export function usersOfContact(
  { otpType, contact }: { readonly otpType: OtpType; readonly contact: string },
  organization: OrganizationView,
): readonly User[] {
  const users = organization.list('user').filter((user) => contactOf(user, otpType) === contact);
  const mark = otpType === 'OTP_TYPE_EMAIL' ? 'emailVerified' : 'phoneNumberVerified';
  const holders = users.filter((user) => user[mark] === true);
  return holders.length > 0 ? holders : users;
}

/**
 * Returns the only user with this contact. Raises `resource_not_found`, and `credential_ambiguous` for
 * several users.
 */
export function userOfContact(
  held: { readonly otpType: OtpType; readonly contact: string },
  organization: OrganizationView,
): User {
  const [user, second] = usersOfContact(held, organization);
  if (user === undefined) {
    const { id: organizationId } = organization;
    fail('resource_not_found', { resource: 'user', id: held.contact, organizationId });
  }
  if (second !== undefined) fail('credential_ambiguous', { what: 'a contact' });
  return user;
}
