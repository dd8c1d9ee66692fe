import { answerList, answerText, object, optional } from '../../core/schema/schema.ts';
import { chainOf } from '../balances/chain_of.ts';
import { query } from '../operation.ts';
import { historyBody, historyMembers, historyPage, historyPageInfo } from './chain_history.ts';

export const list_eth_transaction_history = query({
  summary:
    'Lists transactions of the address of a wallet account on a chain of Ethereum since the service watches it, newest first.',
  body: historyBody(),
  response: object({
    transactions: answerList(
      object({
        transactionHash: answerText(),
        from: answerText(),
        to: optional(answerText()),
        ...historyMembers(),
      }),
    ),
    pageInfo: historyPageInfo(),
  }),

  answer: ({ body, read, services: { deployment } }) => {
    const chain = chainOf(deployment, body.caip2, { family: 'eip155:' });
    return historyPage(read, chain, body, ({ txHash, from, to }) => ({
      transactionHash: txHash,
      from,
      ...(to === undefined ? {} : { to }),
    }));
  },
});
