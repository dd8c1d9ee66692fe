import { sendStatuses } from '../../core/organization/records/sends.ts';
import { answerText, object, oneOf, optional, uuid } from '../../core/schema/schema.ts';
import { sendErrorView } from '../../core/sends/sends.ts';
import { query } from '../operation.ts';
import { requireSend, sponsoredSend } from './require_send.ts';
import { sendErrorShape } from './send_error_shape.ts';

export const get_send_transaction_status = query({
  summary: 'Returns the outcome of a transaction that the service sends.',
  body: object({ sendTransactionStatusId: uuid() }),
  response: object({
    txStatus: oneOf(sendStatuses),
    eth: optional(object({ txHash: answerText() })),
    solana: optional(object({ signature: answerText() })),
    txError: optional(answerText()),
    error: optional(sendErrorShape()),
  }),

  answer: async ({ organization, body, read, readParent }) => {
    const { sendTransactionStatusId: id } = body;
    const send =
      (await sponsoredSend(id, organization, readParent)) ??
      (await requireSend(id, organization, read));
    const { status: txStatus, transactionHash, family } = send;
    const error = sendErrorView(send);
    const failed = error === undefined ? {} : { txError: error.message, error };
    if (family !== 'solana') return { txStatus, eth: { txHash: transactionHash }, ...failed };
    return { txStatus, solana: { signature: transactionHash }, ...failed };
  },
});
