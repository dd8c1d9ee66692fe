import { accountsOf } from '../../../accounts/wallet_accounts.ts';
import { command } from '../../../command_line/command.ts';
import { quoted } from '../../../files/files.ts';
import { findWallet } from '../../../service/find.ts';
import { kindOf } from '../../../words/address_kinds.ts';

export default command({
  summary: 'Lists the accounts of a wallet, oldest first.',
  reach: 'reads',
  arguments: [{ name: 'wallet', summary: 'Name or id of the wallet.' }],
  examples: {
    'wallet account list shop': 'Prints a table of accounts.',
    'wallet account list shop --quiet': 'Prints their addresses, a line each.',
  },
  run: async ({ arguments: { wallet: word }, output, service }) => {
    const { client } = await service();
    const { walletId, walletName } = await findWallet(client, word);
    const accounts = await accountsOf(client, walletId);
    output.list(
      accounts.map(({ addressFormat, address, path, name }) => ({
        Kind: kindOf(addressFormat),
        Address: address,
        Path: path,
        Name: name,
      })),
      {
        document: { accounts },
        ids: accounts.map(({ address }) => address),
        empty: `No accounts yet: keywright wallet account add ${quoted(walletName)} ethereum`,
      },
    );
  },
});
