import {
  checkMfaCondition,
  requireMfaPolicy,
  updateMfaPolicy,
} from '../../core/mfa/mfa_policies.ts';
import { answerText, label, object, optional, uuid } from '../../core/schema/schema.ts';
import { requiredMethods } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { notes } from '../shapes.ts';
import { mfaCondition, mfaOrder } from './mfa_policy_parameters.ts';
import { mfaWarnings } from './mfa_warnings.ts';

export const update_mfa_policy = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_MFA_POLICY'),
  summary: 'Updates an MFA policy; members that are left out stay.',
  subject: { resource: 'MFA_POLICY', action: 'UPDATE' },
  authority: 'mfa_demand',
  parameters: object({
    userId: uuid(),
    mfaPolicyId: uuid(),
    mfaPolicyName: optional(label()),
    condition: optional(mfaCondition()),
    requiredAuthenticationMethods: optional(requiredMethods()),
    order: optional(mfaOrder()),
    notes: optional(notes()),
  }),
  result: object({ mfaPolicyId: answerText() }),

  load: ({ services }) => services.parent(),
  obtain: async ({ parameters: { condition }, services: { once, pause } }) => {
    if (condition === undefined) return;
    await once('condition', () => checkMfaCondition(condition, pause));
  },
  apply: ({ organization, parameters, loaded: parent, context }) => {
    const { userId, mfaPolicyId, ...changes } = parameters;
    const before = requireMfaPolicy(userId, mfaPolicyId, organization);
    updateMfaPolicy(before, changes, organization, parent ?? organization, context.now);
    return { mfaPolicyId: before.id };
  },
  warnings: ({ organization, result }) => mfaWarnings(organization, result.mfaPolicyId),
});
