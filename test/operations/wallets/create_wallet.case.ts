import { tenantAccount } from '../../hostile/tenants.ts';
import { hasWallet } from '../../simulation/effect_parts.ts';
import { newAccounts } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_WALLET',
  subject: 'WALLET CREATE',
  rule: 'policies',
  calls: [{ parameters: () => ({ walletName: label, accounts: [tenantAccount()] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      walletName: `Wallet ${world.serial}`,
      accounts: newAccounts(world),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: { wallet: [result.walletId], wallet_account: intent.accounts.length },
    facts: { 'it has its accounts': hasWallet(after, result.walletId, result.addresses) },
  }),
});
