// Every refusal of the service, in one closed table whose rows are in rows/.

import { table } from '../base/table.ts';
import { authenticationErrors } from './rows/authentication.ts';
import { authorityErrors } from './rows/authority.ts';
import { requestErrors } from './rows/requests.ts';
import { resourceErrors } from './rows/resources.ts';
import { type ErrorRow, grpcStatuses } from './rows/row.ts';
import { serviceErrors } from './rows/service.ts';
import { shareErrors } from './rows/shares.ts';

export { grpcStatuses };

export const errors = table<ErrorRow>()({
  ...requestErrors,
  ...authenticationErrors,
  ...authorityErrors,
  ...resourceErrors,
  ...serviceErrors,
  ...shareErrors,
});

export type ErrorCode = keyof typeof errors;

/** A member of the request that is wrong, by its path (`parameters.users.0.userName`). */
export type FieldViolation = { field: string; description: string };

/** The details of a refusal: words for its sentence, and structured details for clients. */
type ErrorDetails = {
  readonly [word: string]: string | number;
};

/** The one exception of the service: a refusal from the closed table. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly fieldViolations: readonly FieldViolation[];

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    fieldViolations: readonly FieldViolation[] = [],
  ) {
    super(sentenceOf(code, details));
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
    this.fieldViolations = fieldViolations;
  }
}

/** A refusal whose changes are committed, for example the count of wrong codes. */
export class RecordedRefusalError extends ServiceError {}

/** Refuses, and keeps what was written so far. */
export function failAndRecord(code: ErrorCode, details: ErrorDetails = {}): never {
  throw new RecordedRefusalError(code, details);
}

/** Refuses. `details` fill the words of the sentence in the table. */
export function fail(
  code: ErrorCode,
  details: ErrorDetails = {},
  fieldViolations: readonly FieldViolation[] = [],
): never {
  throw new ServiceError(code, details, fieldViolations);
}

/** Refuses one member of the request: its path, and what was expected and found. */
export function failField(field: string, reason: string): never {
  throw new ServiceError('field_invalid', { field, reason }, [{ field, description: reason }]);
}

/** Returns true if this is a refusal of the request, and not a failure of the service. */
export function isRefusal(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { grpc, http = grpcStatuses[grpc].http }: ErrorRow = errors[error.code];
  return http < 500 || http === 501;
}

/** Asserts a condition that only a fault of the service can make untrue. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${what}`);
}

function sentenceOf(code: ErrorCode, details: ErrorDetails): string {
  return errors[code].sentence.replace(/\{(\w+)\}/g, (_, word: string) =>
    String(details[word] ?? ''),
  );
}
