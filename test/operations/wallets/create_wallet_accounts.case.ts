import { tenantAccount } from '../../hostile/tenants.ts';
import { hasWallet, rowsIn } from '../../simulation/effect_parts.ts';
import { idOf, newAccounts } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_WALLET_ACCOUNTS',
  subject: 'WALLET CREATE',
  rule: 'policies',
  calls: [true, false].map((persist) => ({
    parameters: ({ walletId }) => ({ walletId, accounts: [tenantAccount(1)], persist }),
  })),
  generate: {
    weight: 2,
    parameters: (world) => ({
      walletId: idOf(world, 'wallet'),
      accounts: newAccounts(world).slice(0, 1),
      ...(world.choice.chance(0.1) ? { persist: false } : {}),
    }),
  },
  effect: ({ intent, result, before, after }) => ({
    created: { wallet_account: intent.persist === false ? 0 : intent.accounts.length },
    facts: {
      'the wallet has these accounts besides its own':
        intent.persist === false ||
        hasWallet(after, intent.walletId, [
          ...rowsIn(before, 'wallet_account')
            .filter((account) => account.walletId === intent.walletId)
            .map((account) => account.address),
          ...result.addresses,
        ]),
    },
  }),
});
