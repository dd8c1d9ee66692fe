import { appFacts, hasEnough, idsWhere } from '../../simulation/effect_parts.ts';
import { newApprovals } from '../../simulation/request_parts.ts';
import type { Wire } from '../../simulation/wire.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_TVC_MANIFEST_APPROVALS',
  subject: 'TVC_DEPLOYMENT UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ manifestId, operatorId, approvalSignature: signature }) => ({
        manifestId,
        approvals: [{ operatorId, signature }],
      }),
    },
  ],
  generate: { weight: 3, parameters: newApprovals },
  effect: ({ intent, result, before, after }) => {
    const [id = ''] = idsWhere(
      before,
      'tvc_deployment',
      ({ manifestId }) => manifestId === intent.manifestId,
    );
    const [earlier, later] = [before, after].map(({ rows }) => rows.tvc_deployment.get(id));
    const appId = earlier?.appId ?? '';
    const wasLive = before.rows.tvc_app.get(appId)?.liveDeploymentId;
    const isLive = after.rows.tvc_app.get(appId)?.liveDeploymentId;
    return {
      updated: { tvc_deployment: [id], tvc_app: wasLive === undefined ? [appId] : [] },
      facts: {
        ...appFacts(after),
        'it has the new approvals behind the others':
          JSON.stringify(later?.approvals.map((approval) => approval.id)) ===
          JSON.stringify([
            ...(earlier?.approvals ?? []).map(({ id }) => id),
            ...result.approvalIds,
          ]),
        'they are of these operators':
          JSON.stringify(
            later?.approvals.slice(-intent.approvals.length).map(({ operatorId }) => operatorId),
          ) === JSON.stringify(intent.approvals.map((approval: Wire) => approval.operatorId)),
        'it is live if none was and enough have approved':
          isLive === (wasLive ?? (later && hasEnough(after, later) ? id : undefined)),
        'it was not deleted': earlier?.isDeleted === false,
      },
    };
  },
});
