import { uniswapV3 } from '../../core/markets/swaps.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { sendErrorView } from '../../core/sends/sends.ts';
import { query } from '../operation.ts';
import { requestStatus, sendOfType, statusOf } from '../sending/request_status.ts';
import { sendErrorShape } from '../sending/send_error_shape.ts';

export const get_swap_status = query({
  summary: 'Returns the outcome of a swap.',
  body: object({ swapRequestId: uuid() }),
  response: object({
    status: requestStatus(),
    swapKind: answerText(),
    provider: answerText(),
    inputToken: answerText(),
    outputToken: answerText(),
    inputAmount: answerText(),
    originTxHash: answerText(),
    updatedAt: answerText(),
    error: optional(
      object({
        reason: answerText(),
        message: answerText(),
        originTxError: optional(sendErrorShape()),
      }),
    ),
  }),

  answer: async ({ body: { swapRequestId }, ...at }) => {
    const { send, activity } = await sendOfType(swapRequestId, 'ACTIVITY_TYPE_EXECUTE_SWAP', at);
    const { status, transactionHash: originTxHash, failed } = statusOf(send);
    const [intent] = Object.values(activity.intent);
    const textOf = (name: string) =>
      typeof intent === 'object' && intent !== null ? String(Reflect.get(intent, name)) : '';
    const { error: message } = failed;
    const reason = 'ORIGIN_TRANSACTION_FAILED';
    const originTxError = sendErrorView(send);
    const details = originTxError === undefined ? {} : { originTxError };
    return {
      status,
      swapKind: 'SAME_CHAIN',
      provider: uniswapV3.provider,
      inputToken: textOf('inputToken'),
      outputToken: textOf('outputToken'),
      inputAmount: textOf('inputAmount'),
      originTxHash,
      updatedAt: String(send.updatedAtMs),
      ...(message === undefined ? {} : { error: { reason, message, ...details } }),
    };
  },
});
