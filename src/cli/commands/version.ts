import { command } from '../command_line/command.ts';

export default command({
  summary: 'Prints the version of this program.',
  reach: 'local',
  examples: { version: 'Prints the version.' },
  run: async ({ output }) => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    const { version } = manifest;
    if (output.json) output.thing({ version }, { document: { version }, ids: [version] });
    else output.raw(`keywright ${version}\n`);
  },
});
