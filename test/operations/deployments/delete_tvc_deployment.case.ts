import { appFacts } from '../../simulation/effect_parts.ts';
import { deploymentId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ openDeploymentId: deploymentId }) => ({ deploymentId }) }],
  generate: {
    weight: 2.5,
    parameters: (world) => ({ deploymentId: deploymentId(world, (row) => !row.isDeleted) }),
  },
  effect: ({ intent: { deploymentId }, after }) => ({
    updated: { tvc_deployment: [deploymentId] },
    facts: {
      ...appFacts(after),
      'it is deleted': after.rows.tvc_deployment.get(deploymentId)?.isDeleted === true,
    },
  }),
});
