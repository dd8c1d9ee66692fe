import { confirmedActivity } from '../../approvals/vote.ts';
import { command } from '../../command_line/command.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Shows the signed request, prompts for its comparison code, and approves it.',
  reach: 'votes',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  options: {
    fingerprint: option('FP', 'Comparison code (sha256:…) to approve, without a prompt.'),
  },
  examples: {
    'activity approve 01a205ac-48e3-74b0-9a8f-4777ece305a4':
      'Shows the request, and prompts for the first eight digits of its comparison code.',
  },
  run: async ({ arguments: { id }, options: { fingerprint }, output, terminal, service }) => {
    const connected = await service();
    const activity = await confirmedActivity(id, fingerprint, connected, terminal);
    const outcome = await connected.client.approve(activity);
    if (outcome.outcome === 'refused') throw outcome.error;
    const isDone = outcome.outcome === 'done';
    output.thing(
      { Approved: activity.id, State: isDone ? 'done' : 'waits for others' },
      { document: outcome.activity, ids: [activity.id] },
    );
  },
});
