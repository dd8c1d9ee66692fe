import { ethereumAddress } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPSERT_SWAP_CONFIG',
  subject: 'CONFIG UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ address: feeReceiverWalletAddress }) => ({
        feeReceiverWalletAddress,
        feeBps: '25',
      }),
      by: 'parent',
    },
  ],
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      feeReceiverWalletAddress: ethereumAddress(world),
      feeBps: String(world.choice.below(101)),
    }),
  },
  effect: ({ intent, after }) => ({
    head: true,
    facts: {
      'it has its fee': after.head.swapFee?.bps === Number(intent.feeBps),
      'it has its receiver':
        after.head.swapFee?.receiver === intent.feeReceiverWalletAddress.toLowerCase(),
    },
  }),
});
