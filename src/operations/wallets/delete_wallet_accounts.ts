import { fail } from '../../core/errors/errors.ts';
import { deleteAccounts, requireWallet } from '../../core/keys/wallets.ts';
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

export const delete_wallet_accounts = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS'),
  summary: 'Deletes wallet accounts; a wallet can derive the same account again.',
  subject: { resource: 'WALLET', action: 'DELETE' },
  authority: 'none',
  parameters: object({
    walletAccountIds: list(uuid(), { minimum: 1 }),
    deleteWithoutExport: optional(boolean()),
  }),
  result: object({ walletAccountIds: answerList(answerText()) }),

  load: async ({ organization, parameters, read }) => {
    const ids = distinctIds(parameters.walletAccountIds, 'parameters.walletAccountIds');
    const found = new Map((await read.walletAccounts(ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const account = found.get(id);
      if (account !== undefined) return account;
      // Clients match these words and this code; other missing records are `not found`.
      return fail('wallet_account_elsewhere', { id, organizationId: organization.id });
    });
  },
  facts: ({ organization, loaded: accounts }) => ({
    wallets: [...new Set(accounts.map((account) => account.walletId))].map((id) =>
      requireWallet(organization, id),
    ),
  }),
  apply: ({ organization, parameters, loaded: accounts }) => {
    deleteAccounts(accounts, parameters.deleteWithoutExport ?? false, organization);
    return { walletAccountIds: accounts.map((account) => account.id) };
  },
});
