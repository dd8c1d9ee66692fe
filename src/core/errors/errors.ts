// All errors of the service, in one closed table with rows in rows/.

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

/** An invalid member of the request, with its path (`parameters.users.0.userName`). */
export type FieldViolation = { field: string; description: string };

/** The values of the placeholders in an error's sentence, and structured details for clients. */
type ErrorDetails = {
  readonly [word: string]: string | number;
};

/** The only exception of the service: an error of the closed table. */
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

/** Raises an error whose changes so far are committed. */
export function failAndRecord(code: ErrorCode, details: ErrorDetails = {}): never {
  throw new RecordedRefusalError(code, details);
}

/** Raises an error. `details` fill the placeholders of its sentence. */
export function fail(
  code: ErrorCode,
  details: ErrorDetails = {},
  fieldViolations: readonly FieldViolation[] = [],
): never {
  throw new ServiceError(code, details, fieldViolations);
}

/** Raises `field_invalid` for a member of the request, with its path, the expected and the actual value. */
export function failField(field: string, reason: string): never {
  throw new ServiceError('field_invalid', { field, reason }, [{ field, description: reason }]);
}

/** Returns true if the request was refused, false if the service failed. */
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
