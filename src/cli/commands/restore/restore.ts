import { command } from '../../command_line/command.ts';
import { askingOptions, dataOptions } from '../../command_line/data_options.ts';
import { quoted } from '../../files/files.ts';
import { confirm } from '../../output/confirm.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Checks a backup, or restores it into an empty data folder or database.',
  reach: 'local',
  node: 26,
  options: {
    verify: option('DIR', 'Backup to check; nothing is written.'),
    from: option('DIR', 'Backup to check and to restore.'),
    ...dataOptions,
    ...askingOptions,
  },
  examples: {
    'restore --verify backup': 'Opens every row of a backup.',
    'restore --from backup --data-dir restored --root-key-file data/root.key':
      'Restores it into a new folder, fenced until it is accepted.',
  },
  run: async ({ options, common, output, terminal }) => {
    const { verify, from } = options;
    const directory = verify ?? from;
    if (directory === undefined || (verify !== undefined && from !== undefined)) {
      throw usage('give either --verify DIR or --from DIR', 'keywright restore --help');
    }
    const { dataSettings } = await import('../../custody/data_settings.ts');
    const { custodySteps } = await import('../../custody/custody_steps.ts');
    const { logTo, showBackup, verified } = await import('../../custody/custody_output.ts');
    const { restoreBackup, verifyBackup } = await import('../../../gateway/custody/restore.ts');
    const settings = dataSettings(terminal, options);
    const steps = custodySteps(terminal);
    const parts = { from: directory, log: logTo(terminal), steps };
    if (verify === undefined) {
      const into = settings.databaseUrl === undefined ? settings.dataDirectory : 'the database';
      const { yes, 'no-input': noInput } = options;
      await confirm(
        terminal,
        { ...common, yes, 'no-input': noInput },
        {
          warning: `The backup ${directory} will be restored into ${into}, where nothing may be yet.`,
          type: 'restore',
        },
      );
    }
    const manifest = await verified(() =>
      verify === undefined ? restoreBackup(settings, parts) : verifyBackup(settings, parts),
    );
    steps.end();
    showBackup(output, directory, manifest);
    if (verify !== undefined) return;
    output.note(
      'The copy can be read and signs nothing. Stop the service that it was copied from, then:',
    );
    output.note(`${terminal.program} restore accept --reason TEXT${sameData(options)}`);
  },
});

/**
 * Returns options that select the same data. A database URL may contain a password, so it is replaced by a
 * placeholder.
 */
function sameData(options: Readonly<Record<string, unknown>>): string {
  return Object.keys(dataOptions)
    .map((name) => {
      const value = options[name];
      if (typeof value !== 'string') return '';
      return ` --${name} ${name === 'database-url' ? 'URL' : quoted(value)}`;
    })
    .join('');
}
