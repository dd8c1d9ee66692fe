// Ends keys that were mailed to a user and have not signed yet. The reader of the mail has such a key, so it
// must not outlast the address or the login that it proves.

import type { ApiKey } from '../organization/model.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { apiKeysOfUser, removeApiKey } from './api_keys.ts';
import { isForRecovery } from './credential_limits.ts';

/**
 * Deletes the unused mailed keys of a user whose address changes, and all keys for its recovery.
 * `signedWith` is the credential of the request, which stays.
 */
export function endMailedKeys(
  userId: string,
  organization: OrganizationDraft,
  signedWith: string | undefined,
): void {
  for (const key of apiKeysOfUser(organization, userId)) {
    if (provesMail(key) && key.id !== signedWith) removeApiKey(key, organization);
  }
}

/** Deletes the same keys of one type, of all users: the organization has disabled their login. */
export function endMailedLogins(type: ApiKey['type'], organization: OrganizationDraft): void {
  for (const key of organization.list('api_key')) {
    if (key.type === type && provesMail(key)) removeApiKey(key, organization);
  }
}

/** Returns true for a key that proves only that a mail was read. */
function provesMail(key: ApiKey): boolean {
  return key.isUnused === true || isForRecovery(key);
}
