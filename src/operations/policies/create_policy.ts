import { assert } from '../../core/errors/errors.ts';
import { policyWarnings } from '../../core/policy/lint/policy_warnings.ts';
import { compilePolicies, createPolicies } from '../../core/policy/policies.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { olderPolicies } from './older_policies.ts';
import { policyParameters } from './policy_shapes.ts';

export const create_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_POLICY_V3', ''),
  older: olderPolicies,
  summary: 'Creates a policy.',
  subject: { resource: 'POLICY', action: 'CREATE' },
  authority: 'policies',
  parameters: policyParameters(),
  result: object({ policyId: answerText() }),

  obtain: ({ organization, parameters, services: { pause } }) =>
    compilePolicies([parameters], organization, pause),
  apply: ({ organization, parameters, context }) => {
    const [created] = createPolicies([parameters], organization, context, () => 'parameters');
    assert(created !== undefined, 'one policy was made');
    return { policyId: created.id };
  },
  warnings:
    ({ organization, result }) =>
    (pause) =>
      policyWarnings(organization, pause, [result.policyId]),
});
