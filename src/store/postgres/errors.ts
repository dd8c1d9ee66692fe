// The meaning of errors of PostgreSQL, its driver and the network.

import { ServiceError } from '../../core/errors/errors.ts';
import { UnusableDataError } from '../unusable_data_error.ts';

/**
 * `raced`: a transaction conflicted with another and can be retried. `change`: the rows were at fault, the
 * database works. `busy`: others held a lock for too long. `unavailable`: the database cannot be used now,
 * and the outcome of a commit is unknown. `in_doubt`: the server shows a commit that its standby may never
 * have received.
 */
type DatabaseErrorKind = 'raced' | 'change' | 'busy' | 'unavailable' | 'in_doubt';

/** Contains only the code, because messages of a database may contain users, addresses and values. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  /** A SQLSTATE, the name of a network error, `no_answer`, or `not_confirmed`. */
  readonly code: string;

  constructor(code: string) {
    super(`the database answered ${code}`);
    this.name = 'DatabaseError';
    this.code = code;
    this.kind = kindsOfCodes.find(([pattern]) => pattern.test(code))?.[1] ?? 'unavailable';
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const kindsOfCodes: readonly (readonly [RegExp, DatabaseErrorKind])[] = [
  [/^40(001|P01)$/, 'raced'], // serialization failure, deadlock
  [/^23505$/, 'raced'], // unique violation: what was absent a moment ago is there
  [/^2[123]...$/, 'change'], // cardinality, data exception, integrity constraint
  [/^55P03$/, 'busy'], // the wait for a lock was too long
  [/^54...$/, 'change'], // larger than the server takes
  [/^not_confirmed$/, 'in_doubt'],
];

export function databaseErrorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Errors of the driver have no code: a closed connection, or a timeout.
  return new DatabaseError(typeof code === 'string' && code !== '' ? code : 'no_answer');
}

/** An error from outside the database is a fault of the written change. */
export function kindOf(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseError) return error.kind;
  return error instanceof ServiceError || error instanceof UnusableDataError
    ? 'unavailable'
    : 'change';
}

/** Returns true for a rejected row of an earlier key epoch, the only check that can fail: see rotation.ts. */
export function isOfEarlierEpoch(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23514';
}

/** Returns the error for the caller, without details about the database. */
export function refusalOf(error: unknown): unknown {
  return error instanceof DatabaseError || error instanceof UnusableDataError
    ? new ServiceError('store_unavailable')
    : error;
}
