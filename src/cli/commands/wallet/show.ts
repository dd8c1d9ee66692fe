import { type Account, accountsOf } from '../../accounts/wallet_accounts.ts';
import { command } from '../../command_line/command.ts';
import { findWallet } from '../../service/find.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows a wallet and its accounts.',
  reach: 'reads',
  arguments: [{ name: 'wallet', summary: 'Name or id of the wallet.' }],
  examples: { 'wallet show shop': 'Prints the wallet and its accounts.' },
  run: async ({ arguments: { wallet: word }, output, service }) => {
    const { client } = await service();
    const wallet = await findWallet(client, word);
    const accounts = await accountsOf(client, wallet.walletId);
    output.thing(
      {
        Wallet: wallet.walletName,
        ID: wallet.walletId,
        Created: timeText(wallet.createdAt),
        Exported: wallet.exported ? 'yes' : 'no',
        Imported: wallet.imported ? 'yes' : 'no',
        ...Object.fromEntries(
          accounts.map((account) => [labelOf(account, accounts), textOf(account)]),
        ),
      },
      { document: { wallet, accounts }, ids: [wallet.walletId] },
    );
  },
});

const textOf = ({ address, path }: Account): string => `${address} ${path}`;

/** Returns the kind of an account, with a number from the second account of the kind. */
function labelOf(account: Account, all: readonly Account[]): string {
  const { addressFormat } = account;
  const place = all.filter((each) => each.addressFormat === addressFormat).indexOf(account);
  const kind = addressFormat.replace('ADDRESS_FORMAT_', '');
  return place === 0 ? kind : `${kind} ${place + 1}`;
}
