import { deleteDeployment, requireDeployment } from '../../core/deployments/deployments.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_tvc_deployment = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_TVC_DEPLOYMENT'),
  summary: 'Marks a deployment that is not live as deleted. It stays visible and can be restored.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'DELETE' },
  authority: 'none',
  parameters: object({ deploymentId: uuid() }),
  result: object({ deploymentId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const deployment = requireDeployment(organization, parameters.deploymentId);
    deleteDeployment(deployment, organization, context.now);
    return { deploymentId: deployment.id };
  },
});
