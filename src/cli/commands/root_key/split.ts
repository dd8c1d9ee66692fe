import { resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import {
  identitiesOf,
  passkeysOption,
  shareCountOf,
  sharePlaces,
} from '../../custody/root_key_places.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Splits the root key into shares, each sealed to the age recipient of one operator.',
  reach: 'local',
  node: 26,
  options: {
    threshold: option('K', 'Number of shares needed to restore the key; at least 2.'),
    recipients: option('FILE', 'File with an age recipient on each line: one share for each.'),
    from: option(
      'FILE',
      'The root key, or with --identities or --passkeys a folder of shares. Default: data/root.key.',
    ),
    identities: option(
      'FILE',
      'Age identities that open the shares in --from, to split the same key again.',
    ),
    passkeys: passkeysOption,
    to: option('DIR', 'A new folder. Default: root-key-shares.'),
    sharing: option(
      'FILE',
      'File that identifies the sharing to the service. Default: data/root.key.shares.',
    ),
  },
  examples: {
    'root-key split --threshold 3 --recipients operators.txt':
      'Writes ./root-key-shares/share-1.age and so on, and leaves ./data/root.key.',
    'root-key split --threshold 2 --recipients new.txt --from root-key-shares --identities identities.txt --to new-shares':
      'Splits the same key among other operators without writing the key to a file.',
  },
  run: async ({ options, output, terminal }) => {
    const { workingDirectory } = terminal;
    const { recipients } = options;
    const threshold = shareCountOf(options.threshold, '--threshold');
    if (recipients === undefined) throw usage('--recipients needs a file');
    const places = sharePlaces(options, terminal);
    const { combineFiles, readRecipients, rootKeyIn, splitIntoFiles } = await import(
      '../../custody/share_files.ts'
    );
    const operators = readRecipients(resolve(workingDirectory, recipients));
    const identities = await identitiesOf(options, terminal);
    const rootKey =
      identities === undefined
        ? rootKeyIn(places.from)
        : (await combineFiles(places.fromShares, identities)).rootKey;
    const files = await splitIntoFiles(rootKey, { ...places, recipients: operators, threshold });
    output.thing(
      {
        Shares: `${files.length} in ${places.to}, of which any ${threshold} give the key`,
        Sharing: places.sharing,
        Checked: 'They were combined before they were sealed, and give the same key.',
        Next: 'Give each operator one file, and try root-key combine before you rely on it.',
      },
      { document: { files, threshold, sharing: places.sharing }, ids: files },
    );
  },
});
