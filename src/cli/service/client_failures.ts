// Converts errors of the client library to failures of a command.

import {
  type Decision,
  NeedsVotes,
  Refused,
  RequestFailed,
  Unreachable,
  Untrusted,
} from '../../client/errors.ts';
import { quoted } from '../files/files.ts';
import { decisionLines } from '../output/decisions.ts';
import { type Exit, Failure } from '../words/failures.ts';
import { reasonOf } from './unreachable.ts';

/**
 * Returns the failure for a client error; undefined for other errors. `below`: lines that explain the
 * decision. `url`: the configured address of the service. `next`: replaces the next step.
 */
export function failureOfClient(
  error: unknown,
  below?: readonly string[],
  url?: string,
  next?: string,
): Failure | undefined {
  if (error instanceof NeedsVotes) return waits(error, below);
  if (error instanceof Refused) {
    const parts = partsOf(error, 'refused', below);
    return new Failure({ ...parts, next: next ?? parts.next, activityId: error.activityId });
  }
  if (error instanceof RequestFailed) {
    const parts = partsOf(error, exitOfStatus(error.status));
    return otherAddress(error, url) ?? new Failure({ ...parts, next: next ?? parts.next });
  }
  if (error instanceof Unreachable) {
    const next = 'Run keywright doctor, which checks the address and the service.';
    const { origin } = new URL(error.request.url);
    const message = `${origin} cannot be reached: ${reasonOf(error.cause)}`;
    return new Failure({ ...partsOf(error, 'unreachable'), message, next });
  }
  if (error instanceof Untrusted) return new Failure(partsOf(error, 'not_verified'));
  return undefined;
}

/** Returns the failure for a failure or client error; undefined for other errors. */
export const failureOf = (error: unknown): Failure | undefined =>
  error instanceof Failure ? error : failureOfClient(error);

/**
 * Returns the failure for an error caused by a malformed answer; undefined for other errors. A service that
 * violates the API cannot be trusted.
 */
export function failureOfAnswer(error: unknown, verbose: boolean): Failure | undefined {
  const malformedAnswerErrors = [TypeError, RangeError, SyntaxError];
  if (!(error instanceof Error) || !malformedAnswerErrors.some((kind) => error instanceof kind))
    return undefined;
  return new Failure({
    exit: 'not_verified',
    code: 'answer_malformed',
    message: `This command cannot read an answer of the service: ${error.message}.`,
    next: verbose
      ? 'Compare the versions: keywright version, and doctor for that of the service.'
      : 'Compare the versions with keywright doctor; --verbose shows where.',
    details: verbose ? (error.stack ?? '').split('\n').slice(1) : [],
  });
}

/** Returns true if the service reported that it did nothing. Without an answer, it may have acted. */
export function isSurelyNotDone(error: unknown): boolean {
  return error instanceof Refused || (error instanceof RequestFailed && error.status < 500);
}

/** Returns the failure for an address with a path, where the server does not serve the API. */
function otherAddress(error: RequestFailed, url: string | undefined): Failure | undefined {
  if (url === undefined || !unknownPaths.includes(error.status)) return undefined;
  const { origin, pathname } = new URL(url);
  if (pathname === '/' || error.code !== invalidRequest) return undefined;
  return new Failure({
    ...partsOf(error, 'unreachable'),
    message: `${url} is not the address of a service: ${error.message}`,
    next: `Give the address without its path: --url ${origin}`,
  });
}

const unknownPaths: readonly number[] = [404, 405];
const invalidRequest = 'REQUEST_INVALID';

type Known = Refused | RequestFailed | Unreachable | Untrusted;

function partsOf(error: Known, exit: Exit, below = linesOf(error.decision)) {
  const activityId = 'activityId' in error ? error.activityId : undefined;
  const fields = error.fields.map(({ field, description }) => `  ${field}: ${description}`);
  return {
    exit,
    code: error.code,
    message: error.message,
    next:
      activityId === undefined ? error.next : `keywright activity explain ${quoted(activityId)}`,
    requestId: error.requestId,
    details: [...fields, ...below],
  };
}

const linesOf = (decision: Decision | undefined): readonly string[] =>
  decision === undefined ? [] : decisionLines(decision);

function waits(error: NeedsVotes, below = linesOf(error.decision)): Failure {
  const { code, activityId, fingerprint, requestId } = error;
  return new Failure({
    exit: 'waits',
    code,
    message: `Activity ${activityId} waits for approval; nothing is done yet.`,
    next: `An approver types keywright activity approve ${quoted(activityId)} --fingerprint ${quoted(fingerprint)}`,
    requestId,
    activityId,
    details: below,
  });
}

const exitsOfStatuses: Readonly<Record<number, Exit>> = {
  400: 'invalid',
  401: 'refused',
  403: 'refused',
  404: 'not_found',
  409: 'conflict',
  413: 'invalid',
  429: 'unreachable',
  503: 'unreachable',
};

const exitOfStatus = (status: number): Exit => exitsOfStatuses[status] ?? 'unexpected';
