import { getAddress } from 'ethers';
import { sendComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { ethereumAddress } from '../../simulation/request_parts.ts';
import { testVault } from '../../support/outside.ts';
import { activityCase } from '../case.ts';
import { describedWithdrawal, inOtherSpelling } from './earn_requests.ts';

export default activityCase({
  types: 'EARN_WITHDRAW',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => inOtherSpelling(describedWithdrawal(address)) }],
  generate: {
    weight: 1,
    parameters: (world) =>
      describedWithdrawal(ethereumAddress(world), { amountValue: String(world.serial + 1) }),
  },
  effect: ({ intent, result, before, after }) => {
    const sent = sentBy({ sendTransactionStatusId: result.withdrawRequestId }, after);
    const call = { to: getAddress(testVault.address), value: '0' };
    return {
      ...sendEffect(result.withdrawRequestId, before, after),
      complaints: sendComplaints({ from: intent.signWith, calls: [call] }, sent, before),
    };
  },
});
