import { readDeeds } from '../../approvals/activity_deeds.ts';
import { command } from '../../command_line/command.ts';
import { activityRow, statusesOfWord } from '../../output/activity_rows.ts';
import { usage } from '../../words/failures.ts';
import { didYouMean } from '../../words/names.ts';
import { option, repeatable } from '../../words/options.ts';

export default command({
  summary: 'Lists activities, newest first.',
  reach: 'reads',
  options: {
    status: option('STATE', 'waiting, done or refused. Default: all.'),
    type: repeatable('TYPE', 'Only activities of this type.'),
    limit: option('N', 'Maximum number of rows, 1 to 100. Default: 20.'),
    after: option('ID', 'Lists only activities older than this activity.'),
  },
  examples: {
    'activity list': 'Prints the last twenty.',
    'activity list --status waiting': 'Prints the activities that wait for approval.',
  },
  run: async ({ options: { status, type, limit = '20', after }, output, service }) => {
    const states = status === undefined ? undefined : statusesOfWord[status];
    if (status !== undefined && states === undefined) {
      throw usage(`unknown state ${status}${didYouMean(status, Object.keys(statusesOfWord))}`);
    }
    const { client } = await service();
    const answer = await client.query('list_activities', {
      ...(states === undefined ? {} : { filterByStatus: states }),
      ...(type.length === 0 ? {} : { filterByType: type }),
      paginationOptions: { limit, ...(after === undefined ? {} : { after }) },
    });
    const { activities } = answer;
    const isTable = !output.json && !output.quiet;
    const deeds = isTable ? await readDeeds(client, activities) : undefined;
    const rows = activities.map((activity) => activityRow(activity, deeds?.get(activity.id)));
    output.list(rows, {
      document: answer,
      ids: activities.map(({ id }) => id),
      empty: 'No activities.',
    });
  },
});
