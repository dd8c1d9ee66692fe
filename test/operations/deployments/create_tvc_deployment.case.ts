import { appFacts, deletedRegistry, idsWhere } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedDeployment } from './deployment_requests.ts';

export default activityCase({
  types: 'CREATE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ tvcAppId }) => describedDeployment(tvcAppId) }],
  generate: {
    weight: 2,
    parameters: (world) => describedDeployment(idOf(world, 'tvc_app')),
  },
  effect: ({ intent, result, before, after }) => {
    const made = after.rows.tvc_deployment.get(result.deploymentId);
    const digest = made?.manifestDigest;
    return {
      created: { tvc_deployment: [result.deploymentId] },
      facts: {
        ...appFacts(after),
        'it has its manifest': made?.manifestId === result.manifestId,
        'no other has such a manifest':
          idsWhere(before, 'tvc_deployment', (row) => row.manifestDigest === digest).length === 0,
        'its application is there': before.rows.tvc_app.get(intent.appId)?.isDeleted === false,
        'nobody has approved it': made?.approvals.length === 0,
      },
      mayGo: { tvc_deployment: deletedRegistry(before).tvc_deployment },
      // The application still records the nonces of evicted deployments.
      updated: { tvc_app: [...before.rows.tvc_app.keys()] },
    };
  },
});
