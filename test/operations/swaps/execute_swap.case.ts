import { getAddress } from 'ethers';
import { sendComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { unknownId } from '../../simulation/request_parts.ts';
import { testSwaps } from '../../support/outside.ts';
import { activityCase } from '../case.ts';
import { describedSwap } from './swap_requests.ts';

export default activityCase({
  types: 'EXECUTE_SWAP_V3 EXECUTE_SWAP_V2 EXECUTE_SWAP',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [
    {
      parameters: ({ swapQuoteId: quoteId }) =>
        describedSwap({ quoteId, outputAmount: '1', minOutputAmount: '0' }),
    },
  ],
  generate: {
    weight: 1,
    parameters: () =>
      describedSwap({ quoteId: unknownId, outputAmount: '1', minOutputAmount: '0' }),
  },
  effect: ({ intent, result, before, after }) => {
    const { swapRequestId: sendTransactionStatusId } = result;
    const { created, ...rest } = sendEffect(sendTransactionStatusId, before, after);
    const sent = sentBy({ sendTransactionStatusId }, after);
    const call = { to: getAddress(testSwaps.router), value: '0' };
    return {
      ...rest,
      // The token approval is a separate transaction.
      created: { ...created, send: 2 },
      complaints: sendComplaints({ from: intent.signWith, calls: [call] }, sent, before),
    };
  },
});
