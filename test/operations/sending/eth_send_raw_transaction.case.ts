import { Transaction } from 'ethers';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { caip2, foreignTransactions } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { foreignTransaction } from './send_requests.ts';

export default activityCase({
  types: 'ETH_SEND_RAW_TRANSACTION',
  subject: 'TRANSACTION CREATE',
  // It signs nothing, so policies name its kind.
  rule: 'policies',
  calls: [{ parameters: () => ({ signedTransaction: foreignTransaction(), caip2: 'eip155:1' }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      signedTransaction: foreignTransactions[world.choice.below(foreignTransactions.length)],
      caip2,
    }),
  },
  effect: ({ intent: { signedTransaction }, result, before, after }) => {
    const { sendTransactionStatusId: id, transactionHash } = result;
    const known = before.rows.send.get(id);
    const { hash } = Transaction.from(signedTransaction);
    const facts = {
      'its hash is the one that is told': transactionHash === hash,
      'these bytes are sent': sentBy(result, after) === signedTransaction,
    };
    if (known !== undefined) return { facts };
    const { facts: own, ...changes } = sendEffect(id, before, after);
    // It may replace another transaction of its sender.
    const { 'it has a nonce of its own': _own, ...others } = own;
    return { ...changes, facts: { ...facts, ...others } };
  },
});
