import { command } from '../../command_line/command.ts';
import { passphraseOption, placesOf } from '../../custody/root_key_places.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Seals the root key of a file with a passphrase, into a new file next to it.',
  reach: 'local',
  node: 26,
  options: {
    from: option('FILE', 'The root key. Default: data/root.key.'),
    to: option('FILE', 'The new file. Default: data/root.key.sealed.'),
    'passphrase-file': passphraseOption,
  },
  examples: {
    'root-key wrap': 'Writes ./data/root.key.sealed, and leaves ./data/root.key.',
  },
  run: async ({ options, output, terminal }) => {
    const { from, to, usePassphrase } = await placesOf(options, terminal);
    const { wrapRootKey } = await import('../../../gateway/root_key/sealed_files.ts');
    await usePassphrase({ isNew: true }, (passphrase) =>
      wrapRootKey(from.plain, to.sealed, passphrase),
    );
    output.thing(
      {
        'Sealed root key': to.sealed,
        Checked: 'It was opened again, and is the same key.',
        Next: `Serve once with KEYWRIGHT_ROOT_KEY_PROVIDER=passphrase, then destroy ${from.plain} and its copies.`,
      },
      { document: { file: to.sealed, from: from.plain }, ids: [to.sealed] },
    );
  },
});
