import { command } from '../../command_line/command.ts';
import { askingOptions, dataOptions } from '../../command_line/data_options.ts';
import { confirm } from '../../output/confirm.ts';
import { usage } from '../../words/failures.ts';
import { flag, repeatable } from '../../words/options.ts';

export default command({
  summary: 'Replaces the root key, and seals all data with the new key.',
  reach: 'local',
  node: 26,
  options: {
    online: flag('Rotates while the service runs, and shows its progress.'),
    renew: repeatable(
      'ROLE',
      'Also gives this service key a new value, which clients must pin again.',
    ),
    ...dataOptions,
    ...askingOptions,
  },
  examples: {
    'root-key rotate --yes': 'Replaces ./data/root.key; run it again if it was interrupted.',
    'root-key rotate --online':
      'Writes ./data/root.key.next, and waits until the service uses only this key.',
  },
  run: async ({ options, common, output, terminal }) => {
    const { renew, yes, 'no-input': noInput } = options;
    const { renewableRoles, rotate } = await import('../../../rotation/command.ts');
    const { settingsOfData } = await import('../../custody/data_settings.ts');
    const { createProgress } = await import('../../terminal/progress.ts');
    const roles = renew.map((given) => {
      const role = renewableRoles.find((name) => name === given);
      if (role !== undefined) return role;
      throw usage(`--renew takes ${renewableRoles.join(', ')}, and got \`${given}\``);
    });
    const settings = settingsOfData(terminal, options);
    if (options.online) {
      if (roles.length > 0) throw usage('--renew needs a stopped service: leave --online out');
      const { rotateOnline } = await import('../../custody/online_rotation.ts');
      const { epoch, rows, isShared } = await rotateOnline(settings, terminal);
      const rebuild = isShared
        ? 'Run VACUUM FULL, which removes the replaced rows.'
        : 'The next start rebuilds the file, which removes the replaced rows.';
      output.thing(
        {
          Epoch: String(epoch),
          Rows: `${rows} were sealed again`,
          Database: rebuild,
          Next: 'Make a backup, and copy the new key elsewhere.',
        },
        { document: { epoch, rows }, ids: [String(epoch)] },
      );
      return;
    }
    await confirm(
      terminal,
      { ...common, yes, 'no-input': noInput },
      {
        warning:
          'Stop all nodes of the service first. The new key is the only key of the data from now on: earlier backups need the earlier key.',
        type: 'rotate',
      },
    );
    const steps = {
      checked: createProgress(terminal, 'rows checked'),
      sealed: createProgress(terminal, 'rows sealed again'),
    };
    const rotated = await rotate(settings, {
      renew: roles,
      operator: terminal,
      now: terminal.clock(),
      progress: (step, rows) => steps[step].show(rows),
    });
    steps.sealed.end();
    const { epoch, rows, keyFile, isInstalled, isCompact, renewed } = rotated;
    output.thing(
      {
        'Root key': keyFile,
        Epoch: String(epoch),
        Rows: `${rows} were sealed again`,
        'New service keys': renewed.join(', '),
        ...(isCompact ? {} : { Database: 'Run VACUUM FULL, which removes the replaced rows.' }),
        Next: isInstalled
          ? 'Start the service, make a backup, and copy the new key elsewhere.'
          : 'Seal the new key with your provider, start the service, and destroy this file.',
      },
      { document: rotated, ids: [String(epoch)] },
    );
  },
});
