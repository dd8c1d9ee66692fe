import { getAddress } from 'ethers';
import { sendComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { ethereumAddress } from '../../simulation/request_parts.ts';
import { testVault } from '../../support/outside.ts';
import { activityCase } from '../case.ts';
import { describedDeposit, inOtherSpelling } from './earn_requests.ts';

export default activityCase({
  types: 'EARN_DEPOSIT',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => inOtherSpelling(describedDeposit(address)) }],
  generate: {
    weight: 1,
    parameters: (world) =>
      describedDeposit(ethereumAddress(world), { assets: String(world.serial + 2) }),
  },
  effect: ({ intent, result, before, after }) => {
    const { created, ...rest } = sendEffect(result.depositRequestId, before, after);
    const sent = sentBy({ sendTransactionStatusId: result.depositRequestId }, after);
    const call = { to: getAddress(testVault.address), value: '0' };
    return {
      ...rest,
      // The token approval is a separate transaction.
      created: { ...created, send: 2 },
      complaints: sendComplaints({ from: intent.signWith, calls: [call] }, sent, before),
    };
  },
});
