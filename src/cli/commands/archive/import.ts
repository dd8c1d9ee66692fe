import { command } from '../../command_line/command.ts';
import { flag } from '../../words/options.ts';
import { archiveOptions, settingsOf } from './options.ts';

export default command({
  summary: 'Imports the activities of an archive back into the database.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'dir', summary: 'Folder of the archive.' }],
  options: {
    'accept-loss': flag(
      'Imports the remaining files if segments at the end of the folder were lost.',
    ),
    ...archiveOptions,
  },
  examples: {
    'archive import archive':
      'Checks all files, then imports missing activities; with SQLite the service must be stopped.',
  },
  run: async ({ arguments: { dir }, options, terminal, output }) => {
    const { runImport } = await import('../../../archive/command.ts');
    const settings = await settingsOf(terminal, options);
    const { segments, activities, restored } = await runImport(settings, {
      from: dir,
      acceptsLoss: options['accept-loss'],
      operator: terminal,
    });
    const document = { segments, activities, restored };
    output.thing(document, { document, ids: [String(restored)] });
  },
});
