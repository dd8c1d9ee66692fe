import { policyEffects } from '../../core/base/enums.ts';
import { policy } from '../../core/policy/decision/access.ts';
import { policyWarnings } from '../../core/policy/lint/policy_warnings.ts';
import { updatePolicy } from '../../core/policy/policies.ts';
import { answerText, label, object, oneOf, optional, uuid } from '../../core/schema/schema.ts';
import { activity, olderVersion } from '../operation.ts';
import { notes } from '../shapes.ts';
import { expression } from './policy_shapes.ts';

const changes = {
  policyId: uuid(),
  policyName: optional(label()),
  policyEffect: optional(oneOf(policyEffects)),
  policyCondition: optional(expression('absent: it stays')),
  policyConsensus: optional(expression('absent: it stays')),
  policyNotes: optional(notes()),
};

export const update_policy = activity({
  wire: {
    type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2',
    intent: 'updatePolicyIntentV2',
    result: 'updatePolicyResultV2',
  },
  older: [
    olderVersion({
      wire: {
        type: 'ACTIVITY_TYPE_UPDATE_POLICY',
        intent: 'updatePolicyIntent',
        result: 'updatePolicyResult',
      },
      parameters: object(changes),
      upgrade: (parameters) => parameters,
    }),
  ],
  summary: 'Changes a policy; members that are left out stay.',
  subject: { resource: 'POLICY', action: 'UPDATE' },
  parameters: object({
    ...changes,
    time: optional(expression('absent: it stays; empty: always')),
  }),
  result: object({ policyId: answerText() }),

  access: policy(),

  apply: ({ organization, parameters: { policyId, ...given }, context }) => ({
    policyId: updatePolicy(policyId, given, organization, context.now).id,
  }),
  warnings: ({ organization, result }) => policyWarnings(organization, [result.policyId]),
});
