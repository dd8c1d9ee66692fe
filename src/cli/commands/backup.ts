import { command } from '../command_line/command.ts';
import { dataOptions } from '../command_line/data_options.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Copies the data of the service into a folder, and opens every row of the copy.',
  reach: 'local',
  node: 26,
  options: {
    to: option('DIR', 'Folder to create; it must not exist yet.'),
    ...dataOptions,
  },
  examples: { 'backup --to backup': 'Backs up ./data, also while its service runs.' },
  run: async ({ options, output, terminal }) => {
    const { to } = options;
    if (to === undefined) throw usage('--to is missing', 'keywright backup --help');
    const { dataSettings } = await import('../custody/data_settings.ts');
    const { custodySteps } = await import('../custody/custody_steps.ts');
    const { logTo, showBackup, verified } = await import('../custody/custody_output.ts');
    const { takeBackup } = await import('../../gateway/custody/backup.ts');
    const settings = dataSettings(terminal, options);
    const steps = custodySteps(terminal);
    const manifest = await verified(() =>
      takeBackup(settings, { to, log: logTo(terminal), steps }),
    );
    steps.end();
    showBackup(output, to, manifest);
  },
});
