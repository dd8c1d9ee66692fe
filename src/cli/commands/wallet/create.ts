import { account } from '../../../client/accounts.ts';
import { command } from '../../command_line/command.ts';
import { chainNamed } from '../../words/chains.ts';
import { repeatable } from '../../words/options.ts';

export default command({
  summary: 'Creates a wallet with a new seed, and its first accounts.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the wallet.' }],
  options: {
    account: repeatable('KIND', 'A first account, such as ethereum or solana. Default: ethereum.'),
  },
  examples: {
    'wallet create shop': 'Creates a wallet with an Ethereum account.',
    'wallet create treasury --account ethereum --account solana': 'Creates one with two accounts.',
  },
  run: async ({ arguments: { name }, options, output, service }) => {
    const kinds = options.account.length === 0 ? ['ethereum'] : options.account;
    const accounts = kinds.map((kind) => account(chainNamed(kind)));
    const { submit } = await service();
    const result = await submit('create_wallet', { walletName: name, accounts });
    if (result === undefined) return;
    output.thing(
      { Wallet: name, ID: result.walletId, Addresses: result.addresses.join(' ') },
      { document: result, ids: [result.walletId] },
    );
  },
});
