import { findImportTarget, openToTarget, useUpTarget } from '../../core/keys/import_targets.ts';
import {
  addAccounts,
  deriveAccountsInParts,
  importSeed,
  importWallet,
} from '../../core/keys/wallets.ts';
import { label, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { walletAccountList, walletResult } from '../shapes.ts';
import { encryptedBundle } from '../transfer_shapes.ts';
import { ensureAccountNamesFree } from './free_accounts.ts';

const field = 'parameters.encryptedBundle';
const accountsField = 'parameters.accounts';

export const import_wallet = activity({
  wire: wireOf('ACTIVITY_TYPE_IMPORT_WALLET'),
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

  load: async ({ organization, parameters, submitter, read, keyring, context }) => {
    await ensureAccountNamesFree(parameters.accounts, read);
    const requested = { ...parameters, purpose: 'wallet', now: context.now, field } as const;
    const target = findImportTarget(requested, organization, keyring);
    return { target, submitterId: submitter.id };
  },
  obtain: ({ parameters, loaded, keyring, context, services: { once, pause } }) =>
    once('wallet', async () => {
      const id = context.newId();
      const { encryptedBundle } = parameters;
      const seed = openToTarget({ ...loaded, encryptedBundle }, keyring, (contents) =>
        importSeed(id, contents, keyring, field),
      );
      const { accounts } = parameters;
      await pause();
      const wallet = { id, secret: seed.secret };
      return {
        id,
        seed,
        derived: await deriveAccountsInParts(wallet, accounts, keyring, accountsField, pause),
      };
    }),
  apply: ({ organization, parameters, context, loaded, obtained }) => {
    useUpTarget(loaded.target, loaded.submitterId, organization);
    const { id, seed, derived } = obtained;
    importWallet({ id, name: parameters.walletName, seed, now: context.now }, organization);
    const accounts = addAccounts(id, derived, organization, context);
    return { walletId: id, addresses: accounts.map((account) => account.address) };
  },
});
