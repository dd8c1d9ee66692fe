import { idsWhere } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WALLETS',
  subject: 'WALLET DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletIds: [walletId], deleteWithoutExport: true }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      walletIds: idsOf(world, 'wallet', 1),
      deleteWithoutExport: true,
    }),
  },
  effect: ({ intent: { walletIds }, before }) => ({
    deleted: {
      wallet: walletIds,
      wallet_account: idsWhere(before, 'wallet_account', (account) =>
        walletIds.includes(account.walletId),
      ),
    },
  }),
});
