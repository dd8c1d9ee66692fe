import { command } from '../../command_line/command.ts';
import explain from '../activity/explain.ts';

export default command({
  summary: 'Explains the outcome of each policy for an activity; the same as activity explain.',
  reach: 'reads',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  examples: {
    'policy explain 01a205ac-48e3-74b0-9a8f-4777ece305a4': 'Prints each clause.',
  },
  run: (invocation) => explain.run(invocation),
});
