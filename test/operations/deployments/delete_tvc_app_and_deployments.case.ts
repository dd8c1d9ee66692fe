import { appFacts, idsWhere } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_TVC_APP_AND_DEPLOYMENTS',
  subject: 'TVC_APP DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({ appId: idOf(world, 'tvc_app') }),
  },
  effect: ({ intent: { appId }, before, after }) => ({
    updated: {
      tvc_app: [appId],
      tvc_deployment: idsWhere(before, 'tvc_deployment', (row) => row.appId === appId),
    },
    facts: {
      ...appFacts(after),
      'it is deleted': after.rows.tvc_app.get(appId)?.isDeleted === true,
      'all its deployments are':
        idsWhere(after, 'tvc_deployment', (row) => row.appId === appId && !row.isDeleted).length ===
        0,
    },
  }),
});
