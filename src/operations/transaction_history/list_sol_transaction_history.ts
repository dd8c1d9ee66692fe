import { answerList, answerText, boolean, object } from '../../core/schema/schema.ts';
import { chainOf } from '../balances/chain_of.ts';
import { query } from '../operation.ts';
import { historyBody, historyMembers, historyPage, historyPageInfo } from './chain_history.ts';

export const list_sol_transaction_history = query({
  summary:
    'Lists transactions of the address of a wallet account on a chain of Solana since the service watches it, newest first.',
  body: historyBody(),
  response: object({
    transactions: answerList(
      object({
        signature: answerText(),
        feePayer: answerText(),
        signers: answerList(object({ address: answerText(), writable: boolean() })),
        ...historyMembers(),
      }),
    ),
    pageInfo: historyPageInfo(),
  }),

  answer: ({ body, read, services: { deployment } }) => {
    const chain = chainOf(deployment, body.caip2, { family: 'solana:' });
    return historyPage(read, chain, body, ({ txHash, from, signers = [] }) => ({
      signature: txHash,
      feePayer: from,
      signers: signers.map(({ address, isWritable }) => ({ address, writable: isWritable })),
    }));
  },
});
