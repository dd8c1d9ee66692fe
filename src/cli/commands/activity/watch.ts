import { activityTitle } from '../../../core/activity/activity_title.ts';
import { command } from '../../command_line/command.ts';
import { statusesOfWord, statusText, submitterOf } from '../../output/activity_rows.ts';
import { usage } from '../../words/failures.ts';
import { didYouMean } from '../../words/names.ts';
import { option, repeatable } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

type State = 'waiting' | 'done' | 'refused';

export default command({
  summary: 'Prints a line for each activity as it begins or ends, until it is interrupted.',
  reach: 'reads',
  options: {
    status: option('STATE', 'waiting, done or refused. Default: all.'),
    type: repeatable('TYPE', 'Only activities of this type.'),
  },
  examples: {
    'activity watch': 'Follows all activities.',
    'activity watch --status waiting --json': 'Prints waiting activities as NDJSON.',
  },
  run: async ({ options: { status, type }, output, terminal, service }) => {
    if (status !== undefined && !isState(status)) {
      throw usage(`unknown state ${status}${didYouMean(status, Object.keys(statusesOfWord))}`);
    }
    const { client } = await service();
    const { signal } = terminal;
    const activities = client.watch({
      signal,
      ...(status === undefined ? {} : { status }),
      ...(type.length === 0 ? {} : { types: type }),
    });
    output.note('Watching; end with Ctrl+C.');
    for await (const activity of activities) {
      const { createdAt, status: state, id } = activity;
      output.event(
        `${timeText(createdAt)}  ${activityTitle(activity.type)} by ${submitterOf(activity)}: ${statusText(state)}  ${id}`,
        activity,
      );
    }
  },
});

const isState = (word: string): word is State => Object.hasOwn(statusesOfWord, word);
