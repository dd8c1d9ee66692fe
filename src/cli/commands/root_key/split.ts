import { join, resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { usage } from '../../words/failures.ts';

export default command({
  words: 'root-key split',
  summary: 'Splits the root key into shares, each sealed to the age recipient of one operator.',
  reach: 'local',
  node: 26,
  options: {
    threshold: { kind: 'text', value: 'K', summary: 'How many shares give the key; at least 2.' },
    recipients: {
      kind: 'text',
      value: 'FILE',
      summary: 'File with an age recipient on each line: one share for each.',
    },
    from: { kind: 'text', value: 'FILE', summary: 'The root key; data/root.key if absent.' },
    to: { kind: 'text', value: 'DIR', summary: 'A new folder; root-key-shares if absent.' },
  },
  examples: [
    {
      type: 'root-key split --threshold 3 --recipients operators.txt',
      does: 'Writes ./root-key-shares/share-1.age and so on, and leaves ./data/root.key.',
    },
  ],
  run: async ({ options, output, terminal }) => {
    const { environment, workingDirectory } = terminal;
    const { threshold, recipients, from, to = 'root-key-shares' } = options;
    if (threshold === undefined || !/^[1-9][0-9]?$/.test(threshold)) {
      throw usage('--threshold needs a whole number of shares');
    }
    if (recipients === undefined) throw usage('--recipients needs a file');
    const folder = resolve(workingDirectory, environment['KEYWRIGHT_DATA_DIR'] ?? 'data');
    const place = resolve(workingDirectory, to);
    const { splitIntoFiles } = await import('../../custody/share_files.ts');
    const files = await splitIntoFiles({
      from: from === undefined ? join(folder, 'root.key') : resolve(workingDirectory, from),
      to: place,
      recipients: resolve(workingDirectory, recipients),
      threshold: Number(threshold),
    });
    output.thing(
      {
        Shares: `${files.length} in ${place}, of which any ${threshold} give the key`,
        Checked: 'They were combined before they were sealed, and give the same key.',
        Next: 'Give each operator one file, and try root-key combine before you rely on it.',
      },
      { document: { files, threshold: Number(threshold) }, ids: files },
    );
  },
});
