import { command } from '../../command_line/command.ts';
import { statusText } from '../../output/activity_rows.ts';
import { decisionLines } from '../../output/decisions.ts';
import { failedTexts, votersLine } from '../../output/explanations.ts';
import { visible } from '../../output/output.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary:
    'Explains the decision at each vote, policy by policy, and lists the users who may still vote.',
  reach: 'reads',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  examples: {
    'activity explain 01a205ac-48e3-74b0-9a8f-4777ece305a4':
      'Prints each vote with the clauses that were true, false or failed.',
  },
  run: async ({ arguments: { id }, output, service }) => {
    const { client } = await service();
    const explained = await client.query('explain_activity', { activityId: id });
    if (output.json || output.quiet) {
      output.thing({}, { document: explained, ids: [explained.activityId] });
      return;
    }
    const texts = await failedTexts(client, explained);
    const votes = explained.votes.flatMap((vote) => {
      const { createdAt, userName, selection, decision, counts, countsUntil } = vote;
      const verb = selection === 'VOTE_SELECTION_APPROVED' ? 'approved' : 'rejected';
      const line = `${timeText(createdAt)}  ${visible(userName ?? '(deleted user)')} ${verb}${
        counts === true && countsUntil !== undefined
          ? ` (counts until ${timeText(countsUntil)})`
          : ''
      }`;
      if (decision === undefined) return [line];
      return [line, `  ${visible(decision.message)}`, ...decisionLines(decision, texts)];
    });
    const { now, failure } = explained;
    const voters = votersLine(now);
    output.raw(
      [
        visible(`Activity ${explained.activityId}: ${statusText(explained.status)}`),
        ...votes,
        ...(failure === undefined ? [] : [`Failed: ${visible(failure.message)}`]),
        ...(now?.decision === undefined ? [] : [`Now: ${visible(now.decision.message)}`]),
        ...(voters === undefined ? [] : [voters]),
        '',
      ].join('\n'),
    );
  },
});
