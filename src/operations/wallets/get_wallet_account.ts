import { signingSpellings } from '../../core/address/normalization.ts';
import { canonicalPathText } from '../../core/derivation/path.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { requireWallet } from '../../core/keys/wallets.ts';
import type { WalletAccount } from '../../core/organization/model.ts';
import { object, optional, text, uuid } from '../../core/schema/schema.ts';
import { walletAccountView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import type { Reader } from '../reader.ts';
import { accountPath, walletAccountShape } from '../shapes.ts';

export const get_wallet_account = query({
  summary:
    'Returns the account of a wallet with this address, this path as it was sent, or both; of several, the first that was created.',
  body: object({
    walletId: uuid(),
    address: optional(text({ minimum: 1, maximum: 256 })),
    path: optional(accountPath()),
  }),
  response: object({ account: walletAccountShape() }),

  answer: async ({ organization, body: { walletId, address, path }, read }) => {
    const wallet = requireWallet(organization, walletId);
    const account = await findAccount({ walletId: wallet.id, address, path }, read);
    return { account: walletAccountView(account, organization.id, undefined) };
  },
});

async function findAccount(
  requested: {
    readonly walletId: string;
    readonly address: string | undefined;
    readonly path: string | undefined;
  },
  read: Reader,
): Promise<WalletAccount> {
  const { walletId, address } = requested;
  const path = requested.path === undefined ? undefined : canonicalPathText(requested.path);
  if (address !== undefined) {
    const found = await read.walletAccountsByAddress(signingSpellings(address));
    const ofWallet = found.filter((account) => account.walletId === walletId);
    const account = ofWallet.find((known) => path === undefined || known.path === path);
    return account ?? fail('wallet_account_not_found', { by: 'address', value: address });
  }
  if (path === undefined) failField('address', 'expected `address`, `path` or both, got neither');
  const [account] = await read.walletAccountsByPath(walletId, path);
  return account ?? fail('wallet_account_not_found', { by: 'path', value: path });
}
