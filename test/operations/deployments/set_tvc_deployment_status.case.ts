import { appFacts } from '../../simulation/effect_parts.ts';
import { deploymentId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'SET_TVC_DEPLOYMENT_STATUS',
  subject: 'TVC_DEPLOYMENT UPDATE',
  // This operation exists only in this service.
  rule: 'policies',
  calls: [
    { parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId, readyReplicas: 1 }) },
  ],
  generate: {
    weight: 3,
    parameters: (world) => ({
      deploymentId: deploymentId(world, () => true),
      readyReplicas: world.choice.below(3),
      ...(world.choice.chance(0.1) ? { cleanedUp: true } : {}),
    }),
  },
  effect: ({ intent, before, after }) => ({
    updated: { tvc_deployment: [intent.deploymentId] },
    facts: {
      ...appFacts(after),
      'that is what is known':
        after.rows.tvc_deployment.get(intent.deploymentId)?.report?.readyReplicas ===
        intent.readyReplicas,
      'it was not cleaned up':
        before.rows.tvc_deployment.get(intent.deploymentId)?.report?.isCleanedUp !== true,
    },
  }),
});
