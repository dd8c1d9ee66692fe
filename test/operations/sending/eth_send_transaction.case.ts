import { sendComplaints } from '../../simulation/authority.ts';
import { sendEffect, sentBy } from '../../simulation/effect_parts.ts';
import { caip2, ethereumAddress } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ETH_SEND_TRANSACTION_V2 ETH_SEND_TRANSACTION',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [
    {
      parameters: ({ address: from }) => ({
        from,
        caip2: 'eip155:1',
        calls: [{ to: `0x${'12'.repeat(20)}`, value: '1' }],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      from: ethereumAddress(world),
      caip2,
      calls: [{ to: `0x${'12'.repeat(20)}`, value: String(world.serial) }],
    }),
  },
  effect: ({ intent, result, before, after }) => ({
    ...sendEffect(result.sendTransactionStatusId, before, after),
    complaints: sendComplaints(intent, sentBy(result, after), before),
  }),
});
