import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../command.ts';

export default command({
  words: 'version',
  summary: 'Prints the version of this program.',
  reach: 'local',
  examples: [{ type: 'version', does: 'Prints the version.' }],
  run: async ({ output }) => {
    const packageFile = join(import.meta.dirname, '..', '..', '..', 'package.json');
    const { version } = JSON.parse(await readFile(packageFile, 'utf8'));
    if (output.json) output.thing({ version }, { document: { version }, ids: [version] });
    else output.raw(`keywright ${version}\n`);
  },
});
