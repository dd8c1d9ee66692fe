import { addAccounts, deriveAccountsInParts, requireWallet } from '../../core/keys/wallets.ts';
import {
  answerList,
  answerText,
  boolean,
  list,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { walletAccountParameters } from '../shapes.ts';
import { ensureAccountNamesFree, ensureAccountsNew } from './free_accounts.ts';

/** With `persist: false` the addresses are derived but no account is stored. */
export const create_wallet_accounts = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'),
  summary: 'Derives accounts of a wallet, and stores them unless `persist` is false.',
  subject: { resource: 'WALLET', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    walletId: uuid(),
    accounts: list(walletAccountParameters(), { minimum: 1 }),
    persist: optional(boolean()),
  }),
  result: object({ addresses: answerList(answerText()) }),

  load: async ({ organization, parameters, keyring, read, services }) => {
    const wallet = requireWallet(organization, parameters.walletId);
    const { accounts } = parameters;
    const field = 'parameters.accounts';
    const derived = await deriveAccountsInParts(wallet, accounts, keyring, field, services.pause);
    const stores = parameters.persist ?? true;
    if (stores) {
      await ensureAccountNamesFree(derived, read);
      await ensureAccountsNew(wallet.id, derived, read);
    }
    return { wallet, derived, stores };
  },
  apply: ({ organization, context, loaded: { wallet, derived, stores } }) => {
    if (stores) addAccounts(wallet.id, derived, organization, context);
    return { addresses: derived.map((account) => account.address) };
  },
});
