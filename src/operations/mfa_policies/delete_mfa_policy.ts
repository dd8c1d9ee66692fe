import { requireMfaPolicy } from '../../core/mfa/mfa_policies.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_mfa_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_MFA_POLICY'),
  summary: 'Deletes an MFA policy.',
  subject: { resource: 'MFA_POLICY', action: 'DELETE' },
  authority: 'removed_mfa',
  parameters: object({ userId: uuid(), mfaPolicyId: uuid() }),
  result: object({ mfaPolicyId: answerText() }),

  apply: ({ organization, parameters: { userId, mfaPolicyId } }) => {
    const { id } = requireMfaPolicy(userId, mfaPolicyId, organization);
    organization.remove('mfa_policy', id);
    return { mfaPolicyId: id };
  },
});
