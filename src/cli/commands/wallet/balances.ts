import { RequestFailed } from '../../../client/errors.ts';
import { findAccounts } from '../../accounts/wallet_accounts.ts';
import { command } from '../../command_line/command.ts';
import { kindOf } from '../../words/address_kinds.ts';
import { usage } from '../../words/failures.ts';
import { repeatable } from '../../words/options.ts';

/** Main network (CAIP-2) of each namespace. */
const mainNetworks: Readonly<Record<string, string>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
};

export default command({
  summary: 'Prints the balances of the addresses of a wallet, from a node of the chain.',
  reach: 'reads',
  arguments: [{ name: 'wallet', summary: 'WALLET, or WALLET/ACCOUNT for one kind, path or name.' }],
  options: {
    chain: repeatable(
      'CAIP2',
      'Chains to ask, such as eip155:8453. Default: the main network of each account.',
    ),
  },
  examples: {
    'wallet balances shop/ethereum': 'Prints the balances on Ethereum.',
    'wallet balances shop --chain eip155:8453': 'Prints the balances on the named chain.',
  },
  run: async ({ arguments: { wallet: word }, options, output, service }) => {
    const { client } = await service();
    const { accounts } = await findAccounts(client, word);
    const asked = accounts.flatMap((account) => {
      const { caip2Prefix = '' } = account;
      const main = mainNetworks[caip2Prefix];
      const chains = options.chain.filter((chain) => chain.startsWith(`${caip2Prefix}:`));
      const usual = options.chain.length > 0 || main === undefined ? [] : [main];
      return [...chains, ...usual].map((caip2) => ({ account, caip2 }));
    });
    if (asked.length === 0) {
      throw usage(
        'no account has an address on the selected chains',
        'keywright wallet balances --help',
      );
    }
    const found = [];
    for (const { account, caip2 } of asked) {
      const { address, addressFormat } = account;
      const of = { address, caip2 };
      const { balances } = await client
        .query('get_wallet_address_balances', of)
        .catch((error: unknown) => {
          if (options.chain.length > 0 || !isUnknownChain(error)) throw error;
          output.note(`The service has no node of ${caip2}; name its chains with --chain.`);
          return { balances: [] };
        });
      for (const balance of balances) found.push({ address, addressFormat, caip2, ...balance });
    }
    output.list(
      found.map(({ address, addressFormat, caip2, symbol, display }) => ({
        Kind: kindOf(addressFormat),
        Chain: caip2,
        Balance: `${display.crypto} ${symbol}`,
        Address: address,
      })),
      {
        document: { balances: found },
        ids: found.map(({ display, symbol }) => `${display.crypto} ${symbol}`),
        empty: 'Nothing on these addresses.',
      },
    );
  },
});

/** Returns true if the operator configured no node for the chain. */
const isUnknownChain = (error: unknown): boolean =>
  error instanceof RequestFailed && error.fields.some(({ field }) => field === 'caip2');
