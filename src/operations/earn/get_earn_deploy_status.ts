import { fail } from '../../core/errors/errors.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { requestStatus } from '../sending/request_status.ts';

export const get_earn_deploy_status = query({
  summary:
    'Returns the state of an opened vault: it is complete at once, since nothing is deployed.',
  body: object({ deployRequestId: uuid() }),
  response: object({ status: requestStatus(), deployTxHash: optional(answerText()) }),

  answer: async ({ body: { deployRequestId }, organization, read }) => {
    const activity = await read.activity(deployRequestId.toLowerCase());
    const isDone = activity?.status === 'ACTIVITY_STATUS_COMPLETED';
    if (!isDone || activity.type !== 'ACTIVITY_TYPE_EARN_DEPLOY_WRAPPER') {
      fail('deployment_request_not_found', { deployRequestId, organizationId: organization.id });
    }
    return { status: 'COMPLETED' as const };
  },
});
