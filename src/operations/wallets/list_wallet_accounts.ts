import { requireWallet } from '../../core/keys/wallets.ts';
import type { WalletAccount } from '../../core/organization/model.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { answerList, boolean, object, optional, uuid } from '../../core/schema/schema.ts';
import { walletAccountView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { pageOf } from '../page.ts';
import type { Page, Reader } from '../reader.ts';
import { pagination, walletAccountShape } from '../shapes.ts';

export const list_wallet_accounts = query({
  summary: 'Lists the accounts of one wallet or of all wallets, oldest first.',
  body: object({
    walletId: optional(uuid()),
    includeWalletDetails: optional(boolean()),
    paginationOptions: pagination(),
  }),
  response: object({ accounts: answerList(walletAccountShape()) }),

  answer: async ({ organization, body, read }) => {
    const page = pageOf(body.paginationOptions);
    const accounts =
      body.walletId === undefined
        ? await pageOfAll(organization, page, read)
        : await read.walletAccountPage(requireWallet(organization, body.walletId).id, page);
    return {
      accounts: accounts.map((account) => {
        const wallet =
          body.includeWalletDetails === true
            ? organization.get('wallet', account.walletId)
            : undefined;
        return walletAccountView(account, organization.id, wallet);
      }),
    };
  },
});

/** Returns a page over all wallets, which is short only at the end of the list. */
async function pageOfAll(
  organization: OrganizationView,
  page: Page,
  read: Reader,
): Promise<readonly WalletAccount[]> {
  const accounts = await read.walletAccountPage(undefined, page);
  if (accounts.length === page.limit) return accounts;
  // The list may end here, or the next rows may belong to a very large deleted wallet. Lists of single
  // wallets have no such rows.
  const wallets = organization.list('wallet');
  const pages = await Promise.all(wallets.map(({ id }) => read.walletAccountPage(id, page)));
  const sorted = pages.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  const fromEnd = page.before !== undefined && page.after === undefined;
  return fromEnd ? sorted.slice(-page.limit) : sorted.slice(0, page.limit);
}
