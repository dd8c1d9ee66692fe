import { undelegationComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { caip2, ethereumAddress } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ETH_UNDELEGATE_7702 ETH_UNDELEGATE7702',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ address: from }) => ({ from, caip2: 'eip155:1' }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({ from: ethereumAddress(world), caip2 }),
  },
  effect: ({ intent, result, before, after }) => ({
    ...sendEffect(result.sendTransactionStatusId, before, after),
    complaints: undelegationComplaints(intent, sentBy(result, after), before),
  }),
});
