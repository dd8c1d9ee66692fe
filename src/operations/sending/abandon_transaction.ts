import { failField } from '../../core/errors/errors.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { abandonSend } from '../../core/sends/sends.ts';
import { activity, wireOf } from '../operation.ts';
import { requireSend } from './require_send.ts';

const field = 'parameters.sendTransactionStatusId';

export const abandon_transaction = activity({
  wire: wireOf('ACTIVITY_TYPE_ABANDON_TRANSACTION'),
  summary: 'Abandons a transaction under way that is in no block, which frees its place and nonce.',
  subject: { resource: 'TRANSACTION', action: 'DELETE' },
  authority: 'none',
  parameters: object({ sendTransactionStatusId: uuid() }),
  result: object({ sendTransactionStatusId: answerText() }),

  load: async ({ organization, parameters: { sendTransactionStatusId }, read, services }) => {
    const send = await requireSend(sendTransactionStatusId, organization, read);
    if (send.isSettled === true) failField(field, 'expected a transaction under way');
    if (send.status === 'INCLUDED') failField(field, 'expected a transaction that is in no block');
    const { chains } = services.deployment;
    return { send, isWatched: chains.some(({ caip2 }) => caip2 === send.caip2) };
  },
  apply: ({ organization, context: { now }, loaded: { send, isWatched } }) => {
    abandonSend(organization, send, { isWatched, now });
    return { sendTransactionStatusId: send.id };
  },
});
