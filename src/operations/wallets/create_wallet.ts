import {
  addAccounts,
  createWallet,
  deriveAccounts,
  mnemonicLengthOf,
} from '../../core/keys/wallets.ts';
import { policy } from '../../core/policy/decision/access.ts';
import { label, object, optional } from '../../core/schema/schema.ts';
import { activity } from '../operation.ts';
import { mnemonicLength, walletAccountList, walletResult } from '../shapes.ts';
import { ensureAccountNamesFree } from './free_accounts.ts';

export const create_wallet = activity({
  wire: {
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    intent: 'createWalletIntent',
    result: 'createWalletResult',
  },
  summary: 'Creates a wallet with a new seed, and its first accounts.',
  subject: { resource: 'WALLET', action: 'CREATE' },
  parameters: object({
    walletName: label(),
    accounts: walletAccountList(),
    mnemonicLength: optional(mnemonicLength()),
  }),
  result: walletResult(),

  access: policy(),

  load: ({ parameters, read }) => ensureAccountNamesFree(parameters.accounts, read),
  apply: ({ organization, parameters, keyring, context }) => {
    const wallet = createWallet(
      {
        id: context.newId(),
        name: parameters.walletName,
        mnemonicLength: mnemonicLengthOf(parameters.mnemonicLength, 'parameters.mnemonicLength'),
        now: context.now,
      },
      organization,
      keyring,
    );
    const derived = deriveAccounts(wallet, parameters.accounts, keyring, 'parameters.accounts');
    const accounts = addAccounts(wallet.id, derived, organization, context);
    return { walletId: wallet.id, addresses: accounts.map((account) => account.address) };
  },
});
