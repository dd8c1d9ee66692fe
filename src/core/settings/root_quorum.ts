// Rules of the root quorum, whose members together may do everything.

import { fail } from '../errors/errors.ts';
import type { RootQuorum } from '../organization/model.ts';
import type { OrganizationView } from '../organization/state.ts';
import { requireUsableCredential } from '../users/users.ts';

/** Paths of the quorum's members in the request, for refusals. */
type QuorumFields = { readonly threshold: string; readonly userIds: string };

/**
 * Rejects a root quorum that could never be reached: a threshold of zero or above the number of members, no
 * members, a duplicate member, or an unknown user. Raises `quorum_invalid`, and `user_without_credential` for
 * a member who could not sign in.
 */
export function checkRootQuorum(
  { threshold, userIds }: RootQuorum,
  organization: OrganizationView,
  fields: QuorumFields,
): void {
  if (threshold < 1) failQuorum(fields.threshold, 'quorum threshold must be non-zero integer');
  if (userIds.length === 0) failQuorum(fields.userIds, 'quorum users missing');
  for (const [i, id] of userIds.entries()) {
    const field = `${fields.userIds}.${i}`;
    const user = organization.get('user', id);
    if (user === undefined) {
      failQuorum(field, `quorum users missing: no user ${id} in this organization`);
    }
    if (userIds.indexOf(id) !== i) failQuorum(field, `quorum users named twice: ${id}`);
    requireUsableCredential(user, organization);
  }
  if (threshold > userIds.length) {
    const most = `at most the number of its users, ${userIds.length}`;
    failQuorum(fields.threshold, `quorum threshold must be ${most}; got ${threshold}`);
  }
}

function failQuorum(field: string, reason: string): never {
  return fail('quorum_invalid', { reason }, [{ field, description: reason }]);
}
