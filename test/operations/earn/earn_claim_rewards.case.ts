import { getAddress } from 'ethers';
import { sendComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { ethereumAddress } from '../../simulation/request_parts.ts';
import { testRewards } from '../../support/outside.ts';
import { activityCase } from '../case.ts';
import { describedClaim } from './earn_requests.ts';

export default activityCase({
  types: 'EARN_CLAIM_REWARDS',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => describedClaim(address) }],
  generate: { weight: 1, parameters: (world) => describedClaim(ethereumAddress(world)) },
  effect: ({ intent, result, before, after }) => {
    const { claimRequestId: sendTransactionStatusId } = result;
    const { created, ...rest } = sendEffect(sendTransactionStatusId, before, after);
    const sent = sentBy({ sendTransactionStatusId }, after);
    const call = { to: getAddress(testRewards.distributor), value: '0' };
    return {
      ...rest,
      created,
      complaints: sendComplaints({ from: intent.signWith, calls: [call] }, sent, before),
    };
  },
});
