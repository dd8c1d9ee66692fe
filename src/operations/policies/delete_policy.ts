import { deletePolicies } from '../../core/policy/policies.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_POLICY'),
  summary: 'Deletes a policy.',
  subject: { resource: 'POLICY', action: 'DELETE' },
  authority: 'policies',
  parameters: object({ policyId: uuid() }),
  result: object({ policyId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const policyId = parameters.policyId.toLowerCase();
    deletePolicies([policyId], organization, context);
    return { policyId };
  },
});
