// What an answer means: done, waiting or refused. What waits or is refused is never taken for done.

import {
  type Decision,
  type FieldViolation,
  NeedsVotes,
  Refused,
  RequestFailed,
  Untrusted,
} from './errors.ts';
import type { Activity } from './operations.ts';
import type { Answer } from './transport.ts';

/** What became of an activity, as a value. */
export type Outcome<Result> =
  | {
      readonly outcome: 'done';
      readonly result: Result;
      readonly activity: Activity;
      /** What the caller should look at again in what was done. */
      readonly warnings: readonly Readonly<Record<string, unknown>>[];
    }
  | { readonly outcome: 'waiting'; readonly activity: Activity; readonly error: NeedsVotes<Result> }
  | { readonly outcome: 'refused'; readonly error: Refused };

type Settled<Result> = NeedsVotes<Result>['settled'];

/** The activity of an answer, if it is the one that was asked about. Raises `Untrusted`. */
export function activityOf(
  value: unknown,
  expected: { readonly [Name in 'id' | 'fingerprint' | 'type']?: string },
  requestId?: string,
): Activity {
  const activity = value as Activity | null | undefined;
  if (typeof activity?.status !== 'string' || typeof activity.id !== 'string') {
    throw new Untrusted('ANSWER_MALFORMED', 'the answer has no activity', requestId);
  }
  for (const name of ['id', 'fingerprint', 'type'] as const) {
    if (expected[name] !== undefined && activity[name] !== expected[name]) {
      const message = `the answer is for another activity: its ${name} is another`;
      throw new Untrusted('OTHER_ACTIVITY', message, requestId);
    }
  }
  return activity;
}

/** Returns what an activity came to; `expected` names its result. Raises `Untrusted` if that is missing. */
export function outcomeOf<Result>(
  activity: Activity,
  answer: Answer,
  expected: string | undefined,
  settled: Settled<Result>,
): Outcome<Result> {
  const { requestId, status } = answer;
  const decision = answer.body['decision'] as Decision | undefined;
  const about = { requestId, status, decision, activityId: activity.id };
  switch (activity.status) {
    case 'ACTIVITY_STATUS_COMPLETED': {
      const [[name, result] = [], ...others] = Object.entries(activity.result ?? {});
      const isOther = expected !== undefined && name !== expected;
      if (isOther || others.length > 0 || typeof result !== 'object' || result === null) {
        const message = `activity ${activity.id} is said to be done and has not its result`;
        throw new Untrusted('ANSWER_MALFORMED', message, requestId);
      }
      const warnings = (answer.body['warnings'] ?? []) as [];
      return { outcome: 'done', result: result as Result, activity, warnings };
    }
    case 'ACTIVITY_STATUS_REJECTED':
      return {
        outcome: 'refused',
        error: new Refused('REJECTED', `activity ${activity.id} was rejected by votes`, about),
      };
    case 'ACTIVITY_STATUS_FAILED':
      return { outcome: 'refused', error: failedActivity(activity, about) };
    default: {
      const code =
        activity.status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
          ? 'NEEDS_AUTHENTICATORS'
          : 'NEEDS_VOTES';
      return {
        outcome: 'waiting',
        activity,
        error: new NeedsVotes(code, activity, about, settled),
      };
    }
  }
}

function failedActivity(activity: Activity, about: object): Refused {
  const { message = 'it failed', details = [] } = activity.failure ?? {};
  return new Refused('FAILED', `activity ${activity.id} was refused: ${message}`, {
    ...about,
    decision: explanationIn(details),
  });
}

/** The error of an answer that is none of 200: `Refused` where policies refused. */
export function errorOf({ status, requestId, body }: Answer): Refused | RequestFailed {
  const details = Array.isArray(body['details']) ? (body['details'] as Detail[]) : [];
  const fields = details.flatMap(
    (detail) => (detail?.['fieldViolations'] ?? []) as FieldViolation[],
  );
  const code = String(body['turnkeyErrorCode'] ?? `HTTP_${status}`);
  const message = String(body['message'] ?? `the service answered ${status}`);
  const decision = explanationIn(details);
  const about = { status, requestId, fields, decision };
  const activityId = decision?.['activityId'];
  return status === 403
    ? new Refused(code, message, {
        ...about,
        ...(typeof activityId === 'string' ? { activityId } : {}),
      })
    : new RequestFailed(code, message, about);
}

type Detail = Readonly<Record<string, unknown>>;

function explanationIn(details: readonly Detail[]): Decision | undefined {
  const found = details.find((detail) => Array.isArray(detail?.['policies']));
  return found as Decision | undefined;
}
