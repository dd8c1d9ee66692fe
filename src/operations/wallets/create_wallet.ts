import {
  addAccounts,
  deriveAccountsInParts,
  keepWallet,
  mnemonicLengthOf,
} from '../../core/keys/wallets.ts';
import { label, object, optional } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { mnemonicLength, walletAccountList, walletResult } from '../shapes.ts';
import { ensureAccountNamesFree } from './free_accounts.ts';

export const create_wallet = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_WALLET'),
  summary: 'Creates a wallet with a new seed, and its first accounts.',
  subject: { resource: 'WALLET', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    walletName: label(),
    accounts: walletAccountList(),
    mnemonicLength: optional(mnemonicLength()),
  }),
  result: walletResult(),

  load: ({ parameters, read }) => ensureAccountNamesFree(parameters.accounts, read),
  obtain: ({ parameters, keyring, context, services: { once, pause } }) =>
    once('wallet', async () => {
      const { accounts, mnemonicLength: given } = parameters;
      const id = context.newId();
      const length = mnemonicLengthOf(given, 'parameters.mnemonicLength');
      const wallet = { id, secret: keyring.createSeed(id, length) };
      const field = 'parameters.accounts';
      const derived = await deriveAccountsInParts(wallet, accounts, keyring, field, pause);
      return { ...wallet, derived };
    }),
  apply: ({ organization, parameters, obtained: { id, secret, derived }, context }) => {
    keepWallet({ id, secret, name: parameters.walletName, now: context.now }, organization);
    const accounts = addAccounts(id, derived, organization, context);
    return { walletId: id, addresses: accounts.map((account) => account.address) };
  },
});
