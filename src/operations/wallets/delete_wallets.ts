import { deleteWallet, maximumDroppedAccounts, requireWallet } from '../../core/keys/wallets.ts';
import type { WalletAccount } from '../../core/organization/model.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
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
import type { Reader } from '../reader.ts';

/**
 * The accounts of a deleted wallet can no longer be found or used, and their names are free. The request also
 * deletes up to 1000 of their rows; further rows remain unreachable.
 */
export const delete_wallets = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_WALLETS'),
  summary: 'Deletes wallets with all their accounts; they cannot be restored.',
  subject: { resource: 'WALLET', action: 'DELETE' },
  authority: 'none',
  parameters: object({
    walletIds: list(uuid(), { minimum: 1 }),
    deleteWithoutExport: optional(boolean()),
  }),
  result: object({ walletIds: answerList(answerText()) }),

  load: async ({ organization, parameters, read }) => {
    const wallets = distinctIds(parameters.walletIds, 'parameters.walletIds').map((id) =>
      requireWallet(organization, id),
    );
    const ids = wallets.map((wallet) => wallet.id);
    return { wallets, accounts: await firstAccounts(ids, read) };
  },
  facts: ({ loaded: { wallets } }) => ({ wallets }),
  apply: ({ organization, parameters, loaded: { wallets, accounts } }) => {
    for (const wallet of wallets) {
      const ofWallet = accounts.filter((account) => account.walletId === wallet.id);
      deleteWallet(wallet, ofWallet, parameters.deleteWithoutExport ?? false, organization);
    }
    return { walletIds: wallets.map((wallet) => wallet.id) };
  },
});

async function firstAccounts(
  walletIds: readonly string[],
  read: Reader,
): Promise<readonly WalletAccount[]> {
  const accounts: WalletAccount[] = [];
  for (const walletId of walletIds) {
    const limit = maximumDroppedAccounts - accounts.length;
    if (limit === 0) break;
    const page = { limit, before: undefined, after: undefined };
    accounts.push(...(await read.walletAccountPage(walletId, page)));
  }
  return accounts;
}
