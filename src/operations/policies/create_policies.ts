import { policyWarnings } from '../../core/policy/lint/policy_warnings.ts';
import { compilePolicies, createPolicies } from '../../core/policy/policies.ts';
import { answerList, answerText, list, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { policyParameters } from './policy_shapes.ts';

export const create_policies = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_POLICIES'),
  summary: 'Creates several policies, all or none.',
  subject: { resource: 'POLICY', action: 'CREATE' },
  authority: 'policies',
  parameters: object({ policies: list(policyParameters(), { minimum: 1 }) }),
  result: object({ policyIds: answerList(answerText()) }),

  obtain: ({ organization, parameters: { policies }, services: { pause } }) =>
    compilePolicies(policies, organization, pause),
  apply: ({ organization, parameters: { policies }, context }) => {
    const fieldOf = (i: number) => `parameters.policies.${i}`;
    const created = createPolicies(policies, organization, context, fieldOf);
    return { policyIds: created.map(({ id }) => id) };
  },
  warnings:
    ({ organization, result }) =>
    (pause) =>
      policyWarnings(organization, pause, result.policyIds),
});
