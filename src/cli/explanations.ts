// Asks the service for more about a decision: the texts of clauses that failed, and who may still vote.

import type { Client } from '../client/connect.ts';
import { type Decision, NeedsVotes, Refused } from '../client/errors.ts';
import { type ClauseTexts, decisionLines } from './decisions.ts';
import { visible } from './output.ts';
import { timeText } from './times.ts';

/** Policies whose texts are fetched to show where they failed. */
const mostTexts = 20;

type Explained = Awaited<ReturnType<typeof explanation>>;
const explanation = (client: Client, activityId: string) =>
  client.query('explain_activity', { activityId });

const hasFailed = ({ policies }: Decision): boolean =>
  policies.some(({ clauses }) => clauses.some(({ failure }) => failure !== undefined));

/** Resolves with the texts of the policies that failed in a vote and are as they were then. */
export async function failedTexts(
  client: Client,
  { votes }: Pick<Explained, 'votes'>,
): Promise<ClauseTexts> {
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

/** One line: who may still approve; undefined where nobody may. */
export function votersLine({ now }: Pick<Explained, 'now'>): string | undefined {
  const names = (now?.voters ?? [])
    .filter(({ canApprove }) => canApprove)
    .map(({ userName }) => visible(userName));
  return names.length === 0 ? undefined : `May still approve: ${names.join(', ')}`;
}

/** One line: until when the first vote that still counts does; undefined where none counts. */
function untilLine({ votes }: Explained): string | undefined {
  const untils = votes.flatMap(({ counts, countsUntil }) =>
    counts === true && countsUntil !== undefined ? [countsUntil] : [],
  );
  const [first] = untils.sort((a, b) => Number(a.seconds) - Number(b.seconds));
  return first === undefined ? undefined : `The votes so far count until ${timeText(first)}`;
}

/**
 * Resolves with the lines below an end that policies decided; undefined where the service is not asked for
 * more, or does not give it: what came with the end is shown then.
 */
export async function linesBelow(
  error: unknown,
  client: Client,
): Promise<readonly string[] | undefined> {
  if (!(error instanceof NeedsVotes || error instanceof Refused)) return undefined;
  const { activityId, decision } = error;
  if (activityId === undefined || decision === undefined) return undefined;
  const waits = error instanceof NeedsVotes;
  if (!waits && !hasFailed(decision)) return undefined;
  try {
    const explained = await explanation(client, activityId);
    const lines = decisionLines(decision, await failedTexts(client, explained));
    const more = waits ? [votersLine(explained), untilLine(explained)] : [];
    return [...lines, ...more.filter((line) => line !== undefined)];
  } catch {
    // The end is known already. That no more could be learned of it changes nothing.
    return undefined;
  }
}
