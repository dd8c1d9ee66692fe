import { deletePolicies } from '../../core/policy/policies.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_policies = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_POLICIES'),
  summary: 'Deletes several policies, all or none.',
  subject: { resource: 'POLICY', action: 'DELETE' },
  authority: 'policies',
  parameters: object({ policyIds: list(uuid(), { minimum: 1 }) }),
  result: object({ policyIds: answerList(answerText()) }),

  apply: ({ organization, parameters, context }) => {
    const policyIds = distinctIds(parameters.policyIds, 'parameters.policyIds');
    deletePolicies(policyIds, organization, context);
    return { policyIds };
  },
});
