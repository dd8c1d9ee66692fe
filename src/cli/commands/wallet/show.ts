import { command } from '../../command.ts';
import { findWallet } from '../../find.ts';
import { timeText } from '../../times.ts';

export default command({
  words: 'wallet show',
  summary: 'Shows a wallet and its accounts.',
  reach: 'reads',
  arguments: [{ name: 'wallet', summary: 'Name or id of the wallet.' }],
  examples: [{ type: 'wallet show shop', does: 'Prints the wallet and its first 100 accounts.' }],
  run: async ({ arguments: { wallet: word }, output, service }) => {
    const { client } = await service();
    const wallet = await findWallet(client, word);
    const { accounts } = await client.query('list_wallet_accounts', { walletId: wallet.walletId });
    output.thing(
      {
        Wallet: wallet.walletName,
        ID: wallet.walletId,
        Created: timeText(wallet.createdAt),
        Exported: wallet.exported ? 'yes' : 'no',
        Imported: wallet.imported ? 'yes' : 'no',
        ...Object.fromEntries(
          accounts.map(({ address, path, addressFormat }) => [
            addressFormat.replace('ADDRESS_FORMAT_', ''),
            `${address} ${path}`,
          ]),
        ),
      },
      { document: { wallet, accounts }, ids: [wallet.walletId] },
    );
  },
});
