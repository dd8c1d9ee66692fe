import { command } from '../../command_line/command.ts';
import { passphraseOption, placesOf, sealedKeyOption } from '../../custody/root_key_places.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Opens a sealed root key with its passphrase, into a new file of 32 raw bytes.',
  reach: 'local',
  node: 26,
  options: {
    from: sealedKeyOption,
    to: option('FILE', 'The new file. Default: data/root.key.'),
    'passphrase-file': passphraseOption,
  },
  examples: {
    'root-key unwrap': 'Writes ./data/root.key, and leaves the sealed file.',
  },
  run: async ({ options, output, terminal }) => {
    const { from, to, usePassphrase } = await placesOf(options, terminal);
    const { unwrapRootKey } = await import('../../../gateway/root_key/sealed_files.ts');
    await usePassphrase({ isNew: false }, (passphrase) =>
      unwrapRootKey(from.sealed, to.plain, passphrase),
    );
    output.thing(
      {
        'Root key': to.plain,
        Next: 'Anyone who reads this file has all keys of the service: restrict access to it.',
      },
      { document: { file: to.plain, from: from.sealed }, ids: [to.plain] },
    );
  },
});
