import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { requestStatus, sendOfType, statusOf } from '../sending/request_status.ts';

export const get_earn_claim_rewards_status = query({
  summary: 'Returns the outcome of a claim of rewards.',
  body: object({ claimRequestId: uuid() }),
  response: object({
    status: requestStatus(),
    claimTxHash: answerText(),
    error: optional(answerText()),
  }),

  answer: async ({ body: { claimRequestId }, ...at }) => {
    const { send } = await sendOfType(claimRequestId, 'ACTIVITY_TYPE_EARN_CLAIM_REWARDS', at);
    const { status, transactionHash, failed } = statusOf(send);
    return { status, claimTxHash: transactionHash, ...failed };
  },
});
