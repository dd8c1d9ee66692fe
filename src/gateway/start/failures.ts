// The reason of a start that failed, for the operator.

import { constants } from 'node:os';
import { ServiceError } from '../../core/errors/errors.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** Returns the error that a start raises: UnusableDataError for problems that the operator has to mend. */
export function failureOfStart(error: unknown, dataDirectory: string): unknown {
  // No supervisor restarts the enclave yet.
  if (error instanceof ServiceError && error.code === 'enclave_unavailable') {
    return new UnusableDataError('the enclave did not start: the lines above say why');
  }
  return isOfFiles(error)
    ? new UnusableDataError(`${dataDirectory} cannot be used: ${named(error)}`)
    : error;
}

const networkCalls = ['listen', 'bind', 'connect', 'getaddrinfo'];

/** Errors of the operating system that have to do with files; most of them name the file. */
function isOfFiles(error: unknown): error is Error {
  if (!(error instanceof Error && 'errno' in error && 'code' in error)) return false;
  return !('syscall' in error && networkCalls.includes(String(error.syscall)));
}

/** Node itself has no name for a quota that is used up. */
function named(error: Error): string {
  const isQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT;
  return isQuota ? `${error.message} (EDQUOT: the disk quota is used up)` : error.message;
}
