import { appFacts } from '../../simulation/effect_parts.ts';
import { deploymentId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_TVC_APP_LIVE_DEPLOYMENT',
  subject: 'TVC_APP UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId }) }],
  generate: {
    weight: 3,
    parameters: (world) => ({
      deploymentId: deploymentId(world, ({ approvals }) => approvals.length > 0),
    }),
  },
  effect: ({ intent: { deploymentId }, before, after }) => {
    const { appId = '' } = before.rows.tvc_deployment.get(deploymentId) ?? {};
    return {
      updated: { tvc_app: [appId] },
      facts: {
        ...appFacts(after),
        'it is live': after.rows.tvc_app.get(appId)?.liveDeploymentId === deploymentId,
      },
    };
  },
});
