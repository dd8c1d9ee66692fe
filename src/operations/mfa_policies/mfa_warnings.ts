import { assert } from '../../core/errors/errors.ts';
import { couldBeMet } from '../../core/mfa/mfa.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { JsonObject } from '../../core/schema/json.ts';

/** Returns true if a saved policy locks its user out of the activities that require it. */
export function mfaWarnings(organization: OrganizationView, id: string): readonly JsonObject[] {
  const policy = organization.get('mfa_policy', id);
  assert(policy !== undefined, 'the policy was saved');
  if (couldBeMet(policy, organization)) return [];
  const message = 'the user holds nothing by which all steps could be met';
  return [
    { mfaPolicyId: id, mfaPolicyName: policy.name, code: 'MFA_POLICY_CANNOT_BE_MET', message },
  ];
}
