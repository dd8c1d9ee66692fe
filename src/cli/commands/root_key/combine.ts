import { join, resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { identitiesOf, passkeysOption } from '../../custody/root_key_places.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Combines shares into the root key, in a new file of 32 raw bytes.',
  reach: 'local',
  node: 26,
  options: {
    identities: option('FILE', 'File with the age identities of operators, one on each line.'),
    passkeys: passkeysOption,
    from: option('DIR', 'Folder of the sealed shares. Default: root-key-shares.'),
    to: option('FILE', 'The new file. Default: data/root.key.'),
  },
  examples: {
    'root-key combine --identities identities.txt --to recovered.key':
      'Opens the shares in ./root-key-shares and writes ./recovered.key.',
    'root-key combine --passkeys 3 --to recovered.key':
      'Opens the shares with the passkeys of three operators.',
  },
  run: async ({ options, output, terminal }) => {
    const { environment, workingDirectory } = terminal;
    const { from = 'root-key-shares', to } = options;
    const identities = await identitiesOf(options, terminal);
    if (identities === undefined) throw usage('give one of --identities and --passkeys');
    const folder = resolve(workingDirectory, environment['KEYWRIGHT_DATA_DIR'] ?? 'data');
    const file = to === undefined ? join(folder, 'root.key') : resolve(workingDirectory, to);
    const { combineFromFiles } = await import('../../custody/share_files.ts');
    const used = await combineFromFiles({
      from: resolve(workingDirectory, from),
      to: file,
      identities,
    });
    output.thing(
      {
        'Root key': file,
        Shares: `${used} were opened`,
        Next: 'Anyone who reads this file has all keys of the service: restrict access to it.',
      },
      { document: { file, shares: used }, ids: [file] },
    );
  },
});
