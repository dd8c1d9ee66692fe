import { rowsIn } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WALLET_ACCOUNTS',
  subject: 'WALLET DELETE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ walletAccountId }) => ({
        walletAccountIds: [walletAccountId],
        deleteWithoutExport: true,
      }),
    },
  ],
  generate: {
    weight: 2,
    parameters: (world) => ({
      walletAccountIds: idsOf(world, 'wallet_account', 1),
      deleteWithoutExport: true,
    }),
  },
  effect: ({ intent: { walletAccountIds }, before }) => ({
    deleted: { wallet_account: walletAccountIds },
    updated: {
      wallet: rowsIn(before, 'wallet_account')
        .filter((account) => walletAccountIds.includes(account.id))
        .map((account) => account.walletId),
    },
  }),
});
