import { createRowIndex } from '../organization/indexes/row_index.ts';
import type { MfaPolicy } from '../organization/records/mfa_policy.ts';
import type { OrganizationView } from '../organization/state.ts';

const byUser = createRowIndex('mfa_policy', (rows) => Map.groupBy(rows, ({ userId }) => userId));

/** Returns the MFA policies of a user in their order; those with the same order by age, oldest first. */
export function mfaPoliciesOf(
  organization: OrganizationView,
  userId: string,
): readonly MfaPolicy[] {
  const policies = byUser(organization).get(userId) ?? [];
  return policies.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}
