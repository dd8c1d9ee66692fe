import { requireDeployment } from '../../core/deployments/deployments.ts';
import { deploymentView, provisioningShareView } from '../../core/deployments/views.ts';
import { answerList, answerText, object, timestamp, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { deploymentShape } from './deployment_shapes.ts';

export const get_tvc_deployment = query({
  summary: 'Returns a deployment, also a deleted one, with its manifest, approvals and shares.',
  body: object({ deploymentId: uuid() }),
  response: object({
    tvcDeployment: deploymentShape(),
    provisioningShares: answerList(
      object({
        provisioningShareId: answerText(),
        operatorId: answerText(),
        ephemeralPublicKeyHex: answerText(),
        reEncryptedShareHex: answerText(),
        signature: answerText(),
        createdAt: timestamp(),
      }),
    ),
  }),

  answer: ({ organization, body }) => {
    const deployment = requireDeployment(organization, body.deploymentId);
    const { provisioningShares = [] } = deployment;
    return {
      tvcDeployment: deploymentView(deployment, organization),
      provisioningShares: provisioningShares.map(provisioningShareView),
    };
  },
});
