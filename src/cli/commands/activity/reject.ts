import { confirmedActivity } from '../../approvals/vote.ts';
import { command } from '../../command_line/command.ts';
import { Failure } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Shows the signed request, prompts for its comparison code, and rejects it.',
  reach: 'votes',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  options: {
    fingerprint: option('FP', 'Comparison code to reject.'),
  },
  examples: {
    'activity reject 01a205ac-48e3-74b0-9a8f-4777ece305a4':
      'Shows it, and prompts for confirmation.',
  },
  run: async ({ arguments: { id }, options: { fingerprint }, output, terminal, service }) => {
    const connected = await service();
    const activity = await confirmedActivity(id, fingerprint, connected, terminal);
    const outcome = await connected.client.reject(activity);
    // The client reports a final rejection as refused; here it is the requested outcome.
    const isRejected = outcome.outcome === 'refused' && outcome.error.code === 'REJECTED';
    if (outcome.outcome === 'refused' && !isRejected) throw outcome.error;
    // A rejection never completes an activity, so this answer contradicts itself.
    if (outcome.outcome === 'done') {
      throw new Failure({
        exit: 'not_verified',
        code: 'answer_contradicts',
        message: `Activity ${activity.id} is reported as done in the answer to a rejection.`,
        next: `keywright activity explain ${activity.id}`,
        activityId: activity.id,
      });
    }
    output.thing(
      { Voted: activity.id, State: isRejected ? 'rejected' : 'waits for others' },
      { document: { activityId: activity.id, rejected: isRejected }, ids: [activity.id] },
    );
  },
});
