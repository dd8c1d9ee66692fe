// Reads more about a decision from the service: the texts of failed clauses, and the users who may still
// vote.

import type { Client } from '../../client/connect.ts';
import { NeedsVotes, Refused } from '../../client/errors.ts';
import type { Preview } from '../../client/preview.ts';
import type { CallOptions } from '../../client/requests.ts';
import { timeText } from '../words/times.ts';
import { type ClauseTexts, decisionLines, type Policy } from './decisions.ts';
import { visible } from './output.ts';

/** Maximum policies whose texts are fetched. */
const maximumTexts = 20;
/** Maximum wait for an explanation. The outcome is already known, so the explanation is optional. */
const timeoutMs = 5_000;

type Explained = Awaited<ReturnType<typeof explanation>>;
const explanation = (client: Client, activityId: string, options: CallOptions = {}) =>
  client.query('explain_activity', { activityId }, options);

const hasFailed = ({ clauses }: Pick<Policy, 'clauses'>): boolean =>
  clauses.some(({ failure }) => failure !== undefined);

/** Resolves with the texts of policies that failed in a vote and have not changed since. */
export async function failedTexts(
  client: Client,
  { votes }: Pick<Explained, 'votes'>,
  options: CallOptions = {},
): Promise<ClauseTexts> {
  const policies = votes.flatMap(({ decision }) => decision?.policies ?? []);
  return textsOf(
    client,
    policies.filter(({ state }) => state === 'AS_DECIDED'),
    options,
  );
}

/** Resolves with the current texts of those policies that have a failed clause. */
async function textsOf(
  client: Client,
  policies: readonly Policy[],
  options: CallOptions,
): Promise<ClauseTexts> {
  const failed = policies.filter(hasFailed);
  const ids = [...new Set(failed.map(({ policyId }) => policyId))].slice(0, maximumTexts);
  const found = await Promise.all(
    ids.map((policyId) => client.query('get_policy', { policyId }, options)),
  );
  return new Map(
    found.map(({ policy: { policyId, condition, consensus, time } }) => [
      policyId,
      { condition, consensus, time },
    ]),
  );
}

/** Returns a line with the users who may still approve; undefined if no user may. */
export function votersLine(
  now: Pick<NonNullable<Explained['now']>, 'voters' | 'truncated'> | undefined,
): string | undefined {
  const names = (now?.voters ?? [])
    .filter(({ canApprove }) => canApprove)
    .map(({ userName }) => visible(userName));
  if (names.length === 0) return undefined;
  const rest = now?.truncated === true ? ' (the service did not ask about every user)' : '';
  return `May still approve: ${names.join(', ')}${rest}`;
}

/** Returns a line with the time at which the first vote expires; undefined if no vote expires. */
function untilLine({ votes }: Explained): string | undefined {
  const untils = votes.flatMap(({ counts, countsUntil }) =>
    counts === true && countsUntil !== undefined ? [countsUntil] : [],
  );
  const [first] = untils.sort((a, b) => Number(a.seconds) - Number(b.seconds));
  return first === undefined ? undefined : `The votes so far count until ${timeText(first)}`;
}

/**
 * Resolves with the explanation of a decision; undefined if there is none. For a waiting activity it leaves
 * out the policies that do not apply.
 */
export async function linesBelow(
  error: unknown,
  client: Client,
): Promise<readonly string[] | undefined> {
  if (!(error instanceof NeedsVotes || error instanceof Refused)) return undefined;
  const { activityId, decision } = error;
  if (activityId === undefined || decision === undefined) return undefined;
  const waits = error instanceof NeedsVotes;
  if (!waits && !decision.policies.some(hasFailed)) return undefined;
  return ifAvailable(async (options) => {
    const explained = await explanation(client, activityId, options);
    const texts = await failedTexts(client, explained, options);
    if (!waits) return decisionLines(decision, texts);
    const asking = decision.policies.filter(({ outcome }) => outcome !== 'OUTCOME_DENY_IMPLICIT');
    return [...decisionLines({ policies: asking }, texts), ...waitingLines(explained)];
  });
}

/**
 * Resolves with the users who may approve a waiting activity, and the expiry of its votes. Empty if
 * unavailable.
 */
export async function linesOfWaiting(
  activityId: string,
  client: Client,
): Promise<readonly string[]> {
  const lines = await ifAvailable(async (options) =>
    waitingLines(await explanation(client, activityId, options)),
  );
  return lines ?? [];
}

const waitingLines = (explained: Explained): readonly string[] =>
  [votersLine(explained.now), untilLine(explained)].filter((line) => line !== undefined);

/** Resolves with the reasons for the outcome of a dry run, and the users who could approve. */
export async function linesOfPreview(
  { decision, ...now }: Preview,
  client: Client,
): Promise<readonly string[]> {
  const voters = votersLine(now);
  const below = voters === undefined ? [] : [voters];
  if (decision === undefined) return below;
  const explained = await ifAvailable(async (options) =>
    decisionLines(decision, await textsOf(client, decision.policies, options)),
  );
  return [...(explained ?? decisionLines(decision)), ...below];
}

/** Returns undefined after a failure or a timeout, because the explanation is optional. */
async function ifAvailable<R>(read: (options: CallOptions) => Promise<R>): Promise<R | undefined> {
  try {
    return await read({ signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    return undefined;
  }
}
