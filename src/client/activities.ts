// Activities from their request to their end: submitted, voted on, waited for.

import { Refused } from './errors.ts';
import type { Activity } from './operations.ts';
import { activityOf, type Outcome, outcomeOf } from './outcome.ts';
import {
  type CallOptions,
  fingerprintOf,
  type Requests,
  resultOf,
  type SubmitOptions,
  typeOf,
} from './requests.ts';
import type { World } from './transport.ts';
import type { VerifiedActivity } from './verified_activity.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** The functions that submit and vote. */
export function activitiesOf({ activityRequest, queryRequest, answerTo }: Requests, world: World) {
  /** Asks for an activity until it is decided: with one stamp, as a passkey may have made it. */
  const settled = async <Result>(
    { id, fingerprint, organizationId }: Activity,
    result: string | undefined,
    { signal }: CallOptions = {},
  ): Promise<Result> => {
    const sent = await queryRequest('get_activity', { organizationId, activityId: id });
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      const answer = await answerTo(sent, { signal });
      const found = activityOf(answer.body['activity'], { id, fingerprint }, answer.requestId);
      const outcome = outcomeOf<Result>(found, answer, result, (more) =>
        settled(found, result, more),
      );
      if (outcome.outcome !== 'waiting') return doneOf(outcome);
      await world.pause(pauseMs, signal);
    }
  };

  const ask = async <Result>(
    name: string,
    parameters?: object,
    options: SubmitOptions = {},
  ): Promise<Outcome<Result>> => {
    const more = options.generateAppProofs === true ? { generateAppProofs: true } : {};
    const sent = await activityRequest(name, parameters, more);
    const result = resultOf(name);
    const answer = await answerTo(sent, options).catch(refusedOrThrow);
    if ('error' in answer) return answer;
    const mine = { type: typeOf(name), fingerprint: await fingerprintOf(sent.body) };
    const activity = activityOf(answer.body['activity'], mine, answer.requestId);
    return outcomeOf<Result>(activity, answer, result, (until) => settled(activity, result, until));
  };

  const vote = async (name: string, activity: VerifiedActivity, options?: CallOptions) => {
    const { id, fingerprint } = activity;
    const sent = await activityRequest(name, { fingerprint });
    const answer = await answerTo(sent, options).catch(refusedOrThrow);
    if ('error' in answer) return answer;
    const found = activityOf(answer.body['activity'], { id, fingerprint }, answer.requestId);
    return outcomeOf<unknown>(found, answer, undefined, (more) => settled(found, undefined, more));
  };
  return { ask, vote };
}

/** The result of what is done. Throws why it is not. */
export function doneOf<Result>(outcome: Outcome<Result>): Result {
  if (outcome.outcome !== 'done') throw outcome.error;
  return outcome.result;
}

function refusedOrThrow(error: unknown): { outcome: 'refused'; error: Refused } {
  if (error instanceof Refused) return { outcome: 'refused', error };
  throw error;
}
