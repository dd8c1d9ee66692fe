import { reportStatus, requireDeployment } from '../../core/deployments/deployments.ts';
import { answerText, boolean, integer, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const set_tvc_deployment_status = activity({
  wire: wireOf('ACTIVITY_TYPE_SET_TVC_DEPLOYMENT_STATUS'),
  summary:
    'Reports the running instances of a deployment; with `cleanedUp`, that a deleted one was removed. Not part of the common interface.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'UPDATE' },
  authority: 'none',
  parameters: object({
    deploymentId: uuid(),
    readyReplicas: integer({ minimum: 0, maximum: 1_000 }),
    cleanedUp: optional(boolean()),
  }),
  result: object({ deploymentId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const deployment = requireDeployment(organization, parameters.deploymentId);
    const { readyReplicas, cleanedUp: isCleanedUp = false } = parameters;
    reportStatus(deployment, { readyReplicas, isCleanedUp }, organization, context.now);
    return { deploymentId: deployment.id };
  },
});
