import { findAccounts } from '../../accounts/wallet_accounts.ts';
import { command } from '../../command_line/command.ts';
import { kindOf } from '../../words/address_kinds.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Prints the addresses of a wallet, also as QR codes.',
  reach: 'reads',
  arguments: [
    {
      name: 'wallet',
      summary: 'WALLET, or WALLET/ACCOUNT for one kind, path or name.',
    },
  ],
  options: { qr: flag('Draws each address as a QR code.') },
  examples: {
    'wallet address shop': 'Prints the address of every account.',
    'wallet address shop/ethereum --qr': 'Draws an address for a telephone.',
    'wallet address shop/ethereum --quiet': 'Prints the address and nothing else.',
  },
  run: async ({ arguments: { wallet: word }, options: { qr }, output, service }) => {
    const { client } = await service();
    const { accounts } = await findAccounts(client, word);
    const document = {
      addresses: accounts.map(({ address, addressFormat, path }) => ({
        address,
        addressFormat,
        path,
      })),
    };
    const ids = accounts.map(({ address }) => address);
    const rows = accounts.map(({ address, addressFormat }) => ({
      Kind: kindOf(addressFormat),
      Address: address,
    }));
    if (!qr || output.json) return output.list(rows, { document, ids });
    const { qrLines } = await import('../../terminal/qr_code.ts');
    for (const { address, addressFormat } of accounts) {
      output.list([{ Kind: kindOf(addressFormat), Address: address }], {
        document,
        ids: [address],
      });
      for (const line of qrLines(address, output.isColored)) output.raw(`${line}\n`);
    }
  },
});
