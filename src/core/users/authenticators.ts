// Rules of passkeys.

import { type Registration, readRegistration } from '../auth/webauthn/registration.ts';
import type { Context } from '../base/context.ts';
import { fail } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Authenticator } from '../organization/model.ts';
import { failNotFound, requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';

/** Parameters of a passkey. */
export type AuthenticatorParameters = Registration & { readonly authenticatorName: string };

const authenticatorsByUser = createRowIndex('authenticator', (authenticators) =>
  Map.groupBy(authenticators, ({ userId }) => userId),
);
const authenticatorsByCredentialId = createRowIndex(
  'authenticator',
  (authenticators) => new Map([...authenticators].map((each) => [each.credentialId, each])),
);

/**
 * Registers passkeys of a user, in order. `fieldOf` returns the path of each in the request. `allowedOrigins`
 * are the pages that may register passkeys; default: all. `present` contains the user's passkeys. Raises
 * `field_invalid`, `already_exists` for a known credential ID, and `limit_exceeded`.
 */
export function createAuthenticators(
  userId: string,
  authenticators: readonly AuthenticatorParameters[],
  organization: OrganizationDraft,
  context: Context,
  {
    fieldOf,
    allowedOrigins,
    present = authenticatorsOfUser(organization, userId),
  }: {
    readonly fieldOf: (i: number) => string;
    readonly allowedOrigins: readonly string[] | undefined;
    readonly present?: readonly Authenticator[];
  },
): Authenticator[] {
  const created = authenticators.map(
    (authenticator, i): Authenticator => ({
      id: context.newId(),
      userId,
      name: authenticator.authenticatorName,
      ...readRegistration(authenticator, fieldOf(i), allowedOrigins),
      createdAtMs: context.now,
      updatedAtMs: context.now,
    }),
  );
  ensureCredentialIdsFree(created, organization);
  checkLimit('authenticators', present.length + created.length, organization);
  for (const authenticator of created) organization.put('authenticator', authenticator);
  return created;
}

/** Deletes passkeys of a user. Raises `resource_not_found` for a passkey of another user. */
export function deleteAuthenticators(
  userId: string,
  ids: readonly string[],
  organization: OrganizationDraft,
): void {
  for (const id of ids) {
    if (organization.get('authenticator', id)?.userId !== userId) {
      failNotFound('authenticator', id, organization);
    }
    organization.remove('authenticator', id);
  }
}

/** Returns the passkeys of a user, oldest first. */
export function authenticatorsOfUser(
  organization: OrganizationView,
  userId: string,
): readonly Authenticator[] {
  return authenticatorsByUser(organization).get(userId) ?? [];
}

/** Returns the passkey with a raw credential ID, base64url without padding. */
export function authenticatorOfCredentialId(
  organization: OrganizationView,
  credentialId: string,
): Authenticator | undefined {
  return authenticatorsByCredentialId(organization).get(credentialId);
}

/** Finds a passkey by its ID in any letter case. Raises `resource_not_found`. */
export const requireAuthenticator = requiredRecord('authenticator', 'authenticator');

/** Rejects known credential IDs, since each identifies one user of the organization. */
function ensureCredentialIdsFree(
  created: readonly Authenticator[],
  organization: OrganizationView,
): void {
  if (created.length === 0) return;
  const known = new Set(organization.list('authenticator').map((each) => each.credentialId));
  for (const { credentialId } of created) {
    if (known.has(credentialId)) {
      fail('already_exists', { resource: 'authenticator', what: `credential ID ${credentialId}` });
    }
    known.add(credentialId);
  }
}
