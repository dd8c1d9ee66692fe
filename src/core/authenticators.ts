// Rules of passkeys.

import { fail } from './errors.ts';
import type { Authenticator } from './model.ts';
import type { OrganizationView } from './organization.ts';
import { createRowIndex } from './row_index.ts';

const authenticatorsByUser = createRowIndex('authenticator', (authenticators) =>
  Map.groupBy(authenticators, ({ userId }) => userId),
);
const authenticatorsByCredentialId = createRowIndex(
  'authenticator',
  (authenticators) => new Map([...authenticators].map((each) => [each.credentialId, each])),
);

/** The passkeys of a user, oldest first. */
export function authenticatorsOfUser(
  organization: OrganizationView,
  userId: string,
): readonly Authenticator[] {
  return authenticatorsByUser(organization).get(userId) ?? [];
}

/** The passkey of a credential id: the raw id, base64url without padding. */
export function authenticatorOfCredentialId(
  organization: OrganizationView,
  credentialId: string,
): Authenticator | undefined {
  return authenticatorsByCredentialId(organization).get(credentialId);
}

/** The passkey of an id in any letter case. Raises `resource_not_found`. */
export function requireAuthenticator(organization: OrganizationView, id: string): Authenticator {
  const found = organization.get('authenticator', id.toLowerCase());
  if (found !== undefined) return found;
  const organizationId = organization.id;
  return fail('resource_not_found', { resource: 'authenticator', id, organizationId });
}
