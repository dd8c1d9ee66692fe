import { policyWarnings } from '../../core/policy/lint/policy_warnings.ts';
import { clausesOfUpdate, compilePolicies, updatePolicy } from '../../core/policy/policies.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { policyChanges, policyUpdate } from './policy_shapes.ts';

export const update_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_POLICY_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_UPDATE_POLICY'),
      parameters: object(policyChanges()),
      upgrade: (parameters) => parameters,
    }),
  ],
  summary: 'Updates a policy; members that are left out stay.',
  subject: { resource: 'POLICY', action: 'UPDATE' },
  authority: 'policies',
  parameters: policyUpdate(),
  result: object({ policyId: answerText() }),

  obtain: ({ organization, parameters, services: { pause } }) =>
    compilePolicies([clausesOfUpdate(parameters)], organization, pause),
  apply: ({ organization, parameters: { policyId, ...given }, context }) => ({
    policyId: updatePolicy(policyId, given, organization, context).id,
  }),
  warnings:
    ({ organization, result }) =>
    (pause) =>
      policyWarnings(organization, pause, [result.policyId]),
});
