// The meaning of an error of PostgreSQL, of its driver or of the network for the database.

import { ServiceError } from '../../core/errors/errors.ts';
import { UnusableDataError } from '../unusable_data_error.ts';

/**
 * `raced`: another transaction came between, decide again. `change`: the rows were at fault, the database is
 * sound. `busy`: others held a lock for too long. `unavailable`: the database is not usable now, and the
 * outcome of a commit is unknown. `in_doubt`: the server shows a commit that its standby may never have
 * received.
 */
type DatabaseErrorKind = 'raced' | 'change' | 'busy' | 'unavailable' | 'in_doubt';

/** Carries the code alone: messages of a database may name users, addresses and values. */
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
  // Texts of the driver have no code: a connection that ended, or that did not answer in time.
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

/** Returns the error that the caller sees; anything about the database stays here. */
export function refusalOf(error: unknown): unknown {
  return error instanceof DatabaseError || error instanceof UnusableDataError
    ? new ServiceError('store_unavailable')
    : error;
}
