import { checkMfaCondition, createMfaPolicy } from '../../core/mfa/mfa_policies.ts';
import { answerText, label, object, optional, uuid } from '../../core/schema/schema.ts';
import { requiredMethods } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { notes } from '../shapes.ts';
import { mfaCondition, mfaOrder } from './mfa_policy_parameters.ts';
import { mfaWarnings } from './mfa_warnings.ts';

export const create_mfa_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_MFA_POLICY'),
  summary:
    'Creates an MFA policy: the further credentials that a user must show for some activities.',
  subject: { resource: 'MFA_POLICY', action: 'CREATE' },
  authority: 'mfa_demand',
  parameters: object({
    userId: uuid(),
    mfaPolicyName: label(),
    condition: mfaCondition(),
    requiredAuthenticationMethods: requiredMethods(),
    order: mfaOrder(),
    notes: optional(notes()),
  }),
  result: object({ mfaPolicyId: answerText() }),

  load: ({ services }) => services.parent(),
  obtain: ({ parameters: { condition }, services: { once, pause } }) =>
    once('condition', () => checkMfaCondition(condition, pause)),
  apply: ({ organization, parameters, loaded: parent, context }) => {
    const made = createMfaPolicy(parameters, organization, parent ?? organization, context);
    return { mfaPolicyId: made.id };
  },
  warnings: ({ organization, result }) => mfaWarnings(organization, result.mfaPolicyId),
});
