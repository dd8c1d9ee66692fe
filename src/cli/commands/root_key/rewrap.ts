import { command } from '../../command_line/command.ts';
import { placesOf, sealedKeyOption } from '../../custody/root_key_places.ts';
import { newPassphrase } from '../../keys/passphrases.ts';
import { option } from '../../words/options.ts';

export default command({
  summary:
    'Seals the same root key with a new passphrase, and replaces the sealed file in one step.',
  reach: 'local',
  node: 26,
  options: {
    from: sealedKeyOption,
    'passphrase-file': option(
      'FILE',
      'File of the current passphrase. Default: a prompt, or the standard input.',
    ),
    'new-passphrase-file': option('FILE', 'File of the new passphrase. Default: two prompts.'),
  },
  examples: {
    'root-key rewrap': 'Asks for both passphrases, and replaces the sealed file.',
  },
  run: async ({ options, output, terminal }) => {
    const { from, usePassphrase } = await placesOf(options, terminal);
    const { rewrapRootKey } = await import('../../../gateway/root_key/sealed_files.ts');
    await usePassphrase({ isNew: false }, async (current) => {
      const next = await newPassphrase(options['new-passphrase-file'], terminal, {
        of: 'the root key from now on',
      });
      try {
        const path = await rewrapRootKey(from.sealed, current, next);
        output.thing(
          {
            'Sealed root key': path,
            Checked: 'It opens with the new passphrase, and is the same key.',
            Next: 'Destroy copies of the earlier file: they open with the earlier passphrase.',
          },
          { document: { file: path }, ids: [path] },
        );
      } finally {
        next.fill(0);
      }
    });
  },
});
