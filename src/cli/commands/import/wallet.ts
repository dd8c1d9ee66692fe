import { account } from '../../../client/accounts.ts';
import type { Submits } from '../../../client/generated/operations.ts';
import { command } from '../../command_line/command.ts';
import { quoted } from '../../files/files.ts';
import {
  exportedDocument,
  fromOption,
  passphraseFileOption,
  readSecret,
  sealForImport,
} from '../../transfers/imports.ts';
import { chainNamed } from '../../words/chains.ts';
import { Failure, usage } from '../../words/failures.ts';
import { repeatable } from '../../words/options.ts';

type AccountParameters = Submits['import_wallet']['parameters']['accounts'][number];

/** Maximum accounts that one request can derive. */
const accountsAtOnce = 100;

export default command({
  summary: 'Imports a wallet from a recovery phrase, or from a file of export wallet.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the new wallet.' }],
  options: {
    from: fromOption,
    'passphrase-file': passphraseFileOption,
    account: repeatable(
      'KIND',
      'A first account, such as ethereum or solana. Default: the accounts of the file, or ethereum if it only has words.',
    ),
  },
  examples: {
    'import wallet shop --from shop.json': 'Imports a file of export wallet.',
    'import wallet shop --from - --account ethereum --account solana':
      'Reads the words from the standard input.',
  },
  run: async ({ arguments: { name }, options, output, terminal, service }) => {
    const kinds = options.account.map(chainNamed);
    const bytes = await readSecret(options, 'wallet', terminal, output);
    const document = exportedDocument(bytes, 'wallet');
    const listed = kinds.length > 0 ? undefined : accountsIn(document);
    const accounts =
      listed ?? (kinds.length === 0 ? ['ethereum' as const] : kinds).map((kind) => account(kind));
    const connected = await service();
    const { submit } = connected;
    const secret = document === undefined ? bytes : phraseIn(document);
    const sealed = await sealForImport(
      { connected, terminal, output },
      secret,
      async (userId) => (await submit('init_import_wallet', { userId }))?.importBundle,
      { targetOf: 'user' },
    );
    bytes.fill(0);
    if (sealed === undefined) return;
    const { userId, encryptedBundle } = sealed;
    const result = await submit('import_wallet', {
      userId,
      walletName: name,
      encryptedBundle,
      accounts: accounts.slice(0, accountsAtOnce).map(parametersOf),
    });
    if (result === undefined) return;
    const { walletId } = result;
    const addresses = [...result.addresses];
    for (let from = accountsAtOnce; from < accounts.length; from += accountsAtOnce) {
      const more = accounts.slice(from, from + accountsAtOnce).map(parametersOf);
      const added = await submit('create_wallet_accounts', { walletId, accounts: more });
      addresses.push(...(added?.addresses ?? []));
    }
    requireSame(listed, addresses, walletId);
    output.thing(
      { Wallet: name, ID: walletId, Addresses: addresses.join(' ') },
      { document: { walletId, addresses }, ids: [walletId] },
    );
  },
});

type ListedAccount = AccountParameters & { readonly address?: string };

/** Omits the account name, which must be unique in an organization. */
const parametersOf = ({ curve, pathFormat, path, addressFormat }: ListedAccount) => ({
  curve,
  pathFormat,
  path,
  addressFormat,
});

/** Returns the accounts in an exported file. The service checks their members. */
function accountsIn(
  document: Readonly<Record<string, unknown>> | undefined,
): readonly ListedAccount[] | undefined {
  const accounts = document?.['accounts'];
  if (accounts === undefined) return undefined;
  const isList = Array.isArray(accounts) && accounts.every((row) => row instanceof Object);
  if (isList) return accounts as ListedAccount[];
  throw usage('the accounts in the file are not a list');
}

function phraseIn({ mnemonic }: Readonly<Record<string, unknown>>): string {
  if (typeof mnemonic === 'string') return mnemonic;
  throw usage('the file has no mnemonic');
}

/**
 * Rejects the import if a derived address differs from the file: then the phrase is not the one of the file.
 */
function requireSame(
  listed: readonly ListedAccount[] | undefined,
  addresses: readonly string[],
  walletId: string,
): void {
  const other = listed?.find(({ address }, place) => {
    return address !== undefined && address !== addresses[place];
  });
  if (other === undefined) return;
  throw new Failure({
    exit: 'not_verified',
    code: 'address_differs',
    message: `Imported as ${walletId}, but the account ${other.path} has another address than in the file.`,
    next: `Compare keywright wallet account list ${quoted(walletId)} with the file.`,
  });
}
