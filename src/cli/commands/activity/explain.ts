import type { Client } from '../../../client/connect.ts';
import { statusText } from '../../activity_rows.ts';
import { command } from '../../command.ts';
import { type ClauseTexts, decisionLines } from '../../decisions.ts';
import { visible } from '../../output.ts';
import { timeText } from '../../times.ts';

/** Policies whose texts are fetched to show where they failed. */
const mostTexts = 20;

type Votes = Awaited<ReturnType<typeof explanation>>['votes'];
const explanation = (client: Client, activityId: string) =>
  client.query('explain_activity', { activityId });

/** The texts of the policies that failed in a vote and are as they were then. */
async function failedTexts(client: Client, votes: Votes): Promise<ClauseTexts> {
  const policies = votes.flatMap(({ decision }) => decision?.policies ?? []);
  const failed = policies.filter(
    ({ state, clauses }) =>
      state === 'AS_DECIDED' && clauses.some(({ failure }) => failure !== undefined),
  );
  const ids = [...new Set(failed.map(({ policyId }) => policyId))].slice(0, mostTexts);
  const found = await Promise.all(ids.map((policyId) => client.query('get_policy', { policyId })));
  return new Map(
    found.map(({ policy: { policyId, condition, consensus, time } }) => [
      policyId,
      { condition, consensus, time },
    ]),
  );
}

export default command({
  words: 'activity explain',
  summary: 'Explains how each vote was decided, policy by policy, and who may still vote.',
  reach: 'reads',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  examples: [
    {
      type: 'activity explain 01a205ac-48e3-74b0-9a8f-4777ece305a4',
      does: 'Prints each vote with the clauses that were true, false or failed.',
    },
  ],
  run: async ({ arguments: { id }, output, service }) => {
    const { client } = await service();
    const explained = await explanation(client, id);
    if (output.json || output.quiet) {
      output.thing({}, { document: explained, ids: [explained.activityId] });
      return;
    }
    const texts = await failedTexts(client, explained.votes);
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
    const voters = now?.voters ?? [];
    const mayVote = voters.filter(({ canApprove }) => canApprove);
    output.raw(
      [
        visible(`Activity ${explained.activityId}: ${statusText(explained.status)}`),
        ...votes,
        ...(failure === undefined ? [] : [`Failed: ${visible(failure.message)}`]),
        ...(now?.decision === undefined ? [] : [`Now: ${visible(now.decision.message)}`]),
        ...(mayVote.length === 0
          ? []
          : [`May still approve: ${mayVote.map((voter) => visible(voter.userName)).join(', ')}`]),
        '',
      ].join('\n'),
    );
  },
});
