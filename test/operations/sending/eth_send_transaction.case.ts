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
});
