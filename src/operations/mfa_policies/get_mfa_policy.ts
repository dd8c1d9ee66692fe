import { requireMfaPolicy } from '../../core/mfa/mfa_policies.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { mfaPolicyView } from '../../core/views/wire.ts';
import { mfaPolicyShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_mfa_policy = query({
  summary: 'Returns an MFA policy.',
  body: object({ userId: uuid(), mfaPolicyId: uuid() }),
  response: object({ mfaPolicy: mfaPolicyShape() }),

  answer: ({ organization, body: { userId, mfaPolicyId } }) => ({
    mfaPolicy: mfaPolicyView(requireMfaPolicy(userId, mfaPolicyId, organization)),
  }),
});
