import { newShare } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { operatorKey } from './deployment_requests.ts';

export default activityCase({
  types: 'POST_TVC_QUORUM_KEY_SHARE',
  subject: 'TVC_DEPLOYMENT UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ openDeploymentId, operatorId, approvalSignature: signature }) => ({
        deploymentId: openDeploymentId,
        ephemeralPublicKeyHex: operatorKey('enclave'),
        shareApprovalBundle: { operatorId, reEncryptedShareHex: 'ab'.repeat(130), signature },
      }),
    },
  ],
  generate: { weight: 0.5, parameters: newShare },
  effect: ({ intent, result, after }) => ({
    updated: { tvc_deployment: [intent.deploymentId] },
    facts: {
      'the operator has this share alone':
        after.rows.tvc_deployment
          .get(intent.deploymentId)
          ?.provisioningShares?.filter(
            ({ operatorId }) => operatorId === intent.shareApprovalBundle.operatorId,
          )
          .map(({ id }) => id)
          .join() === result.provisioningShareId,
    },
  }),
});
