import { command } from '../../command_line/command.ts';
import { usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';
import { archiveOptions, settingsOf } from './options.ts';

export default command({
  summary: 'Moves decided activities that are older than a time into signed files.',
  reach: 'local',
  node: 26,
  options: {
    before: option('TIME', 'Decided before it, as 2026-01-31.'),
    to: option('DIR', 'Folder of the archive, always the same.'),
    'accept-loss': flag(
      'Continues with the remaining files if segments at the end of the folder were lost.',
    ),
    organization: option('ID', 'Only of this organization.'),
    ...archiveOptions,
  },
  examples: {
    'archive --before 2026-01-31 --to archive':
      'Archives activities decided before February; with SQLite the service must be stopped.',
  },
  run: async ({ options, terminal, output }) => {
    const { before: time, to, organization } = options;
    if (time === undefined || to === undefined) {
      throw usage('--before and --to are needed', 'keywright archive --help');
    }
    const before = Date.parse(time);
    if (!Number.isSafeInteger(before) || before < 0) {
      throw usage(`--before: expected a time such as 2026-01-31, got \`${time}\``);
    }
    const { runArchive } = await import('../../../archive/command.ts');
    const settings = await settingsOf(terminal, options);
    const organizationId = organization?.toLowerCase();
    const now = terminal.clock();
    const archived = await runArchive(settings, {
      to,
      before,
      organizationId,
      now,
      acceptsLoss: options['accept-loss'],
      operator: terminal,
    });
    output.thing(archived, { document: archived, ids: [String(archived.activities)] });
  },
});
