import { account } from '../../../../client/accounts.ts';
import { accountsOf } from '../../../accounts/wallet_accounts.ts';
import { command } from '../../../command_line/command.ts';
import { findWallet } from '../../../service/find.ts';
import { chainNamed } from '../../../words/chains.ts';
import { usage } from '../../../words/failures.ts';
import { option } from '../../../words/options.ts';

/** Number of hardened indexes of a path level. */
const maximumNumber = 2 ** 31 - 1;

export default command({
  summary: 'Derives one more account of a wallet.',
  reach: 'submits',
  arguments: [
    { name: 'wallet', summary: 'Name or id of the wallet.' },
    { name: 'kind', summary: 'Kind of the account: ethereum, solana, bitcoin, tron or cosmos.' },
  ],
  options: {
    number: option('N', 'Number of the account in its usual path. Default: the next free number.'),
    path: option('PATH', 'Path to derive it by, in place of the usual.'),
    name: option('NAME', 'Name of the account.'),
  },
  examples: {
    'wallet account add shop solana': 'Adds the next Solana account.',
    'wallet account add shop ethereum --number 7': 'Adds the account of a number.',
  },
  run: async ({ arguments: { wallet: word, kind }, options, output, service }) => {
    const { number, path, name } = options;
    const chain = chainNamed(kind);
    if (number !== undefined && path !== undefined)
      throw usage('give --number or --path, not both');
    const given = number === undefined ? undefined : numberOf(number);
    const { client, submit } = await service();
    const { walletId } = await findWallet(client, word);
    const taken = await accountsOf(client, walletId);
    let next = given ?? 0;
    const isTaken = () => {
      const { path: usual, addressFormat } = account(chain, next);
      return taken.some((each) => each.path === usual && each.addressFormat === addressFormat);
    };
    while (given === undefined && isTaken()) next += 1;
    const described = {
      ...account(chain, next),
      ...(path === undefined ? {} : { path }),
      ...(name === undefined ? {} : { name }),
    };
    const result = await submit('create_wallet_accounts', { walletId, accounts: [described] });
    if (result === undefined) return;
    const [address = ''] = result.addresses;
    output.thing({ Address: address, Path: described.path }, { document: result, ids: [address] });
  },
});

function numberOf(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= maximumNumber) return Number(text);
  throw usage(`--number ${text} is not an account number: expected 0 to ${maximumNumber}`);
}
