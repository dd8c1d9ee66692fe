import { findImportTarget, useImport } from '../../core/keys/import_targets.ts';
import { addAccounts, deriveAccounts, importWallet } from '../../core/keys/wallets.ts';
import { policy } from '../../core/policy/decision/access.ts';
import { label, object, uuid } from '../../core/schema/schema.ts';
import { activity } from '../operation.ts';
import { walletAccountList, walletResult } from '../shapes.ts';
import { encryptedBundle } from '../transfer_shapes.ts';
import { ensureAccountNamesFree } from './free_accounts.ts';

const field = 'parameters.encryptedBundle';

export const import_wallet = activity({
  wire: {
    type: 'ACTIVITY_TYPE_IMPORT_WALLET',
    intent: 'importWalletIntent',
    result: 'importWalletResult',
  },
  summary: 'Imports a wallet from a mnemonic that was encrypted to an import target.',
  subject: { resource: 'WALLET', action: 'IMPORT' },
  authority: 'none',
  parameters: object({
    userId: uuid(),
    walletName: label(),
    encryptedBundle: encryptedBundle(),
    accounts: walletAccountList(),
  }),
  result: walletResult(),

  access: policy(),

  load: async ({ organization, parameters, read, keyring, context }) => {
    await ensureAccountNamesFree(parameters.accounts, read);
    const requested = { ...parameters, purpose: 'wallet', now: context.now, field } as const;
    return findImportTarget(requested, organization, keyring);
  },
  apply: ({ organization, parameters, submitter, keyring, context, loaded: target }) => {
    const bundle = { ...parameters, submitterId: submitter.id };
    const wallet = useImport(target, bundle, organization, keyring, (contents) =>
      importWallet(
        { id: context.newId(), name: parameters.walletName, contents, now: context.now, field },
        organization,
        keyring,
      ),
    );
    const derived = deriveAccounts(wallet, parameters.accounts, keyring, 'parameters.accounts');
    const accounts = addAccounts(wallet.id, derived, organization, context);
    return { walletId: wallet.id, addresses: accounts.map((account) => account.address) };
  },
});
