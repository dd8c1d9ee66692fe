import { requireDeployment, restoreDeployment } from '../../core/deployments/deployments.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const restore_tvc_deployment = activity({
  wire: wireOf('ACTIVITY_TYPE_RESTORE_TVC_DEPLOYMENT'),
  summary:
    'Restores a deleted deployment that is not cleaned up yet. The deployment does not become live.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'UPDATE' },
  authority: 'none',
  parameters: object({ deploymentId: uuid() }),
  result: object({ deploymentId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const deployment = requireDeployment(organization, parameters.deploymentId);
    restoreDeployment(deployment, organization, context.now);
    return { deploymentId: deployment.id };
  },
});
