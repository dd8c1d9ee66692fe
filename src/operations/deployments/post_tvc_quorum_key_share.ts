import { postShare } from '../../core/deployments/provisioning.ts';
import { answerText, object, text, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { keyPair } from './deployment_shapes.ts';

export const post_tvc_quorum_key_share = activity({
  wire: wireOf('ACTIVITY_TYPE_POST_TVC_QUORUM_KEY_SHARE'),
  summary: 'Stores the share of an operator, encrypted to an enclave of a deployment.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'UPDATE' },
  authority: 'none',
  parameters: object({
    deploymentId: uuid(),
    ephemeralPublicKeyHex: keyPair(),
    shareApprovalBundle: object({
      operatorId: uuid(),
      reEncryptedShareHex: text({ minimum: 1, maximum: 1_024 }),
      signature: text({ minimum: 1, maximum: 200 }),
    }),
  }),
  result: object({ provisioningShareId: answerText() }),

  apply: ({ organization, parameters, context }) => ({
    provisioningShareId: postShare(parameters, organization, context).id,
  }),
});
