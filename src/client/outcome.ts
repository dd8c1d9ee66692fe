// Interprets answers as done, waiting or refused. A waiting or refused activity never counts as done.

import {
  type Decision,
  type FieldViolation,
  NeedsVotes,
  Refused,
  RequestFailed,
  Untrusted,
} from './errors.ts';
import type { Activity } from './generated/operations.ts';
import type { Answer } from './transport.ts';

/** The outcome of an activity, as a value. */
export type Outcome<Result> =
  | {
      readonly outcome: 'done';
      readonly result: Result;
      readonly activity: Activity;
      /** Warnings for the caller. */
      readonly warnings: readonly Readonly<Record<string, unknown>>[];
    }
  | {
      readonly outcome: 'waiting';
      readonly activity: Activity;
      readonly error: NeedsVotes<Result>;
      readonly warnings: readonly Readonly<Record<string, unknown>>[];
    }
  | { readonly outcome: 'refused'; readonly error: Refused };

/** Returns the activity of an answer if it is the expected one. Throws `Untrusted`. */
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
      const message = `the answer is for another ${name}`;
      throw new Untrusted('OTHER_ACTIVITY', message, requestId);
    }
  }
  return activity;
}

/** The outcome of each final status. Any other status means that the activity waits. */
export const outcomes: Readonly<Record<string, 'done' | 'refused'>> = {
  ACTIVITY_STATUS_COMPLETED: 'done',
  ACTIVITY_STATUS_FAILED: 'refused',
  ACTIVITY_STATUS_REJECTED: 'refused',
};

/**
 * Returns the outcome of an activity; `expected` names its result. Throws `Untrusted` if the result is
 * missing.
 */
export function outcomeOf<Result>(
  activity: Activity,
  { requestId, status, body }: Answer,
  expected: string | undefined,
  settled: NeedsVotes<Result>['settled'],
): Outcome<Result> {
  const { id: activityId, fingerprint, failure } = activity;
  const outcome = outcomes[activity.status] ?? 'waiting';
  const warnings = Array.isArray(body['warnings']) ? body['warnings'] : [];
  if (outcome === 'done') {
    const [[name, result] = [], ...others] = Object.entries(activity.result ?? {});
    if ((expected ?? name) !== name || others.length > 0 || !isObject(result)) {
      const message = `activity ${activityId} is done without its result`;
      throw new Untrusted('ANSWER_MALFORMED', message, requestId);
    }
    return { outcome, activity, result: result as Result, warnings };
  }
  const about = { activityId, requestId, status };
  if (outcome === 'refused') {
    const { message = 'votes rejected it', details = [] } = failure ?? {};
    const decision = explanationIn(details);
    const text = `activity ${activityId} is refused: ${message}`;
    const code = failure === undefined ? 'REJECTED' : 'FAILED';
    return { outcome, error: new Refused(code, text, { ...about, decision }) };
  }
  const code = activity.status.endsWith('AUTHENTICATORS_NEEDED')
    ? 'NEEDS_AUTHENTICATORS'
    : 'NEEDS_VOTES';
  const decision = body['decision'] as Decision | undefined;
  const error = new NeedsVotes<Result>(code, fingerprint, { ...about, decision }, settled);
  return { outcome, activity, error, warnings };
}

/** Returns the result of a completed activity. Throws the error of any other outcome. */
export function doneOf<Result>(outcome: Outcome<Result>): Result {
  if (outcome.outcome !== 'done') throw outcome.error;
  return outcome.result;
}

/** Returns the error for a status other than 200: `Refused` for 403, else `RequestFailed`. */
export function errorOf({ status, requestId, body }: Answer): Refused | RequestFailed {
  const details = Array.isArray(body['details']) ? body['details'].filter(isObject) : [];
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations as FieldViolation[]);
  const code = String(body['turnkeyErrorCode'] ?? `HTTP_${status}`);
  const message = String(body['message'] ?? code);
  const decision = explanationIn(details);
  const activityId = decision?.['activityId'] as string | undefined;
  const about = { status, requestId, fields, decision, activityId };
  return status === 403
    ? new Refused(code, message, about)
    : new RequestFailed(code, message, about);
}

/** Returns the rows of a list in an answer. Throws `Untrusted` if there is no such list. */
export function rowsOf(body: Members, name: string): readonly unknown[] {
  const rows = body[name];
  if (!Array.isArray(rows)) throw new Untrusted('ANSWER_MALFORMED', `the answer lacks ${name}`);
  return rows;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const explanationIn = (details: readonly Members[]): Decision | undefined =>
  details.find((detail) => Array.isArray(detail?.['policies'])) as Decision | undefined;
