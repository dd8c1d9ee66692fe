import { idsWhere } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ABANDON_TRANSACTION',
  subject: 'TRANSACTION DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ sendTransactionStatusId }) => ({ sendTransactionStatusId }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({ sendTransactionStatusId: idOf(world, 'send') }),
  },
  effect: ({ intent: { sendTransactionStatusId: id }, before, after }) => {
    const [known, now] = [before.rows.send.get(id), after.rows.send.get(id)];
    const senders = idsWhere(before, 'sender', ({ taken }) =>
      taken.some((one) => one.sendId === id),
    );
    return {
      ...(known?.isAbandoned === true ? {} : { updated: { send: [id], sender: senders } }),
      facts: {
        'it is given up, and under way until nodes show it in no block':
          now?.isAbandoned === true && now.isSettled !== true,
        'it sends the same bytes': now?.signedTransaction === known?.signedTransaction,
      },
    };
  },
});
