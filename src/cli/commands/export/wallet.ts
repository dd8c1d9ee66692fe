import { accountsOf } from '../../accounts/wallet_accounts.ts';
import { command } from '../../command_line/command.ts';
import { findWallet } from '../../service/find.ts';
import { exportToFile, toOption } from '../../transfers/exports.ts';
import { jsonWithSecret } from '../../transfers/secret_json.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Exports the recovery phrase of a wallet into a file, with the paths of its accounts.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the wallet.' }],
  options: {
    to: toOption,
    phrase: flag('Writes only the words, in the form of other wallets.'),
  },
  examples: {
    'export wallet shop --to shop.json': 'Asks for the name, then writes the file.',
    'export wallet shop --to shop.txt --phrase': 'Writes only the words.',
  },
  run: async ({ arguments: { name: word }, options, output, terminal, service }) => {
    const connected = await service();
    const { client, submit } = connected;
    const { walletId, walletName: name } = await findWallet(client, word);
    const accounts = await accountsOf(client, walletId);
    const described = accounts.map((account) => ({
      name: account.name,
      curve: account.curve,
      pathFormat: account.pathFormat,
      path: account.path,
      addressFormat: account.addressFormat,
      address: account.address,
    }));
    const file = await exportToFile(
      { connected, terminal, output },
      {
        to: options.to,
        name,
        what: `recovery phrase of the wallet ${name}`,
        preview: (targetPublicKey) => client.dryRun('export_wallet', { walletId, targetPublicKey }),
        submit: async (targetPublicKey) =>
          (await submit('export_wallet', { walletId, targetPublicKey }))?.exportBundle,
        contentOf: (plaintext) =>
          options.phrase
            ? Buffer.concat([plaintext, Buffer.from('\n')])
            : jsonWithSecret(
                { kind: 'wallet', name, walletId, accounts: described },
                'mnemonic',
                plaintext,
              ),
      },
    );
    if (file === undefined) return;
    output.thing(
      { Exported: name, File: file, Accounts: String(accounts.length) },
      { document: { walletId, file, accounts: described }, ids: [walletId] },
    );
  },
});
