import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { requestStatus, sendOfType, statusOf } from '../sending/request_status.ts';

export const get_earn_deposit_status = query({
  summary: 'Returns the outcome of a deposit into a vault.',
  body: object({ depositRequestId: uuid() }),
  response: object({
    status: requestStatus(),
    depositTxHash: answerText(),
    error: optional(answerText()),
  }),

  answer: async ({ body: { depositRequestId }, ...at }) => {
    const { send } = await sendOfType(depositRequestId, 'ACTIVITY_TYPE_EARN_DEPOSIT', at);
    const { status, transactionHash, failed } = statusOf(send);
    return { status, depositTxHash: transactionHash, ...failed };
  },
});
