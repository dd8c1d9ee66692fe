import { existsSync } from 'node:fs';
import { command } from '../../command_line/command.ts';
import {
  passphraseOption,
  placesOf,
  shareCountOf,
  sharePlaces,
} from '../../custody/root_key_places.ts';
import { usage } from '../../words/failures.ts';
import { option, repeatable } from '../../words/options.ts';

export default command({
  summary: 'Creates a root key, sealed by a passphrase or split among operators.',
  reach: 'local',
  node: 26,
  options: {
    to: option(
      'FILE',
      'The new file. Default: data/root.key.sealed. With --shares, a new folder. Default: root-key-shares.',
    ),
    'passphrase-file': passphraseOption,
    shares: option('N', 'Number of shares, at most 16. Shares replace the passphrase.'),
    threshold: option('K', 'Number of shares needed to restore the key; at least 2.'),
    recipient: repeatable('AGE', 'Age recipient of an operator, one for each share.'),
    sharing: option(
      'FILE',
      'File that identifies the sharing to the service. Default: data/root.key.shares.',
    ),
  },
  examples: {
    'root-key init': 'Asks for a passphrase and writes ./data/root.key.sealed.',
    'root-key init --to elsewhere.sealed --passphrase-file passphrase.txt':
      'Reads the passphrase from a file and writes another one.',
    'root-key init --shares 2 --threshold 2 --recipient age1… --recipient age1…':
      'Writes one sealed share for each operator; the key itself is never on a disk.',
  },
  run: async ({ options, output, terminal }) => {
    if (options.shares !== undefined) {
      const count = shareCountOf(options.shares, '--shares');
      const threshold = shareCountOf(options.threshold, '--threshold');
      const { recipient: recipients } = options;
      if (recipients.length !== count) {
        throw usage(
          `--shares ${count} needs as many recipients, and ${recipients.length} were given`,
        );
      }
      const places = sharePlaces(options, terminal);
      const { splitIntoFiles } = await import('../../custody/share_files.ts');
      const { newRootKey } = await import('../../../gateway/root_key/new_keys.ts');
      if (existsSync(places.sharing)) throw usage(`${places.sharing} exists already`);
      const files = await splitIntoFiles(newRootKey(), { ...places, recipients, threshold });
      output.thing(
        {
          Shares: `${count} in ${places.to}, of which any ${threshold} give the key`,
          Sharing: places.sharing,
          Next: 'Give each operator one file, and serve with KEYWRIGHT_ROOT_KEY_PROVIDER=shares.',
        },
        { document: { files, threshold, sharing: places.sharing }, ids: files },
      );
      return;
    }
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
