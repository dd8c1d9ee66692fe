import { appFacts } from '../../simulation/effect_parts.ts';
import { deploymentId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'RESTORE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ deletedDeploymentId: deploymentId }) => ({ deploymentId }) }],
  generate: {
    weight: 5,
    parameters: (world) => ({ deploymentId: deploymentId(world, (row) => row.isDeleted) }),
  },
  effect: ({ intent: { deploymentId }, before, after }) => ({
    updated: { tvc_deployment: [deploymentId] },
    facts: {
      ...appFacts(after),
      'it was deleted': before.rows.tvc_deployment.get(deploymentId)?.isDeleted === true,
      'it is not deleted': after.rows.tvc_deployment.get(deploymentId)?.isDeleted === false,
    },
  }),
});
