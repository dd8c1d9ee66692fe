// Submits activities, votes on them, and waits for them.

import { Refused } from './errors.ts';
import type { Activity } from './generated/operations.ts';
import { activityOf, doneOf, type Outcome, outcomeOf } from './outcome.ts';
import {
  type CallOptions,
  fingerprintOf,
  type Requests,
  resultOf,
  type SubmitOptions,
  typeOf,
} from './requests.ts';
import type { Answer, World } from './transport.ts';
import type { VerifiedActivity } from './verified_activity.ts';

/** Returns the functions that submit and vote. */
export function activitiesOf(requests: Requests, world: World) {
  const { activityRequest, answerTo } = requests;
  /** Returns the outcome of an answer that contains the activity. */
  const judged = <Result>(activity: Activity, answer: Answer, result: string | undefined) =>
    outcomeOf<Result>(activity, answer, result, async (options) => {
      // Loaded only for waiting activities.
      const { untilDecided } = await import('./settled.ts');
      return doneOf(await untilDecided<Result>(activity, result, requests, world, options));
    });

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
    return judged<Result>(activity, answer, result);
  };

  const vote = async (name: string, activity: VerifiedActivity, options?: CallOptions) => {
    const { id, fingerprint } = activity;
    const sent = await activityRequest(name, { fingerprint });
    const answer = await answerTo(sent, options).catch(refusedOrThrow);
    if ('error' in answer) return answer;
    const found = activityOf(answer.body['activity'], { id, fingerprint }, answer.requestId);
    return judged<unknown>(found, answer, undefined);
  };
  return { ask, vote };
}

function refusedOrThrow(error: unknown): { outcome: 'refused'; error: Refused } {
  if (error instanceof Refused) return { outcome: 'refused', error };
  throw error;
}
