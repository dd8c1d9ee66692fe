import { command } from '../../command_line/command.ts';
import { placesOf } from '../../custody/root_key_places.ts';

export default command({
  words: 'root-key init',
  summary: 'Creates a root key that a passphrase seals, for a service that has none yet.',
  reach: 'local',
  node: 26,
  options: {
    to: { kind: 'text', value: 'FILE', summary: 'The new file; data/root.key.sealed if absent.' },
    'passphrase-file': {
      kind: 'text',
      value: 'FILE',
      summary: 'File of the passphrase; typed, or read from the standard input, if absent.',
    },
  },
  examples: [
    { type: 'root-key init', does: 'Asks for a passphrase and writes ./data/root.key.sealed.' },
    {
      type: 'root-key init --to elsewhere.sealed --passphrase-file passphrase.txt',
      does: 'Reads the passphrase from a file and writes another one.',
    },
  ],
  run: async ({ options, output, terminal }) => {
    const { to, usePassphrase } = await placesOf(options, terminal);
    const { createSealedKey } = await import('../../../gateway/root_key/sealed_files.ts');
    await usePassphrase({ isNew: true }, (passphrase) => createSealedKey(to.sealed, passphrase));
    output.thing(
      {
        'Sealed root key': to.sealed,
        Next: 'Copy it elsewhere, and serve with KEYWRIGHT_ROOT_KEY_PROVIDER=passphrase.',
      },
      { document: { file: to.sealed }, ids: [to.sealed] },
    );
  },
});
