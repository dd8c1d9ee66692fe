import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { requestStatus, sendOfType, statusOf } from '../sending/request_status.ts';

export const get_earn_withdraw_status = query({
  summary: 'Returns the outcome of a withdrawal from a vault.',
  body: object({ withdrawRequestId: uuid() }),
  response: object({
    status: requestStatus(),
    withdrawTxHash: answerText(),
    error: optional(answerText()),
  }),

  answer: async ({ body: { withdrawRequestId }, ...at }) => {
    const { send } = await sendOfType(withdrawRequestId, 'ACTIVITY_TYPE_EARN_WITHDRAW', at);
    const { status, transactionHash, failed } = statusOf(send);
    return { status, withdrawTxHash: transactionHash, ...failed };
  },
});
