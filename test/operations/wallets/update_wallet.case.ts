import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_WALLET',
  subject: 'WALLET UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletId, walletName: label }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      walletId: idOf(world, 'wallet'),
      walletName: `Wallet ${world.serial}`,
    }),
  },
  effect: ({ intent }) => ({ updated: { wallet: [intent.walletId] } }),
});
