// Explains a failed start to the operator.

import { constants } from 'node:os';
import { ServiceError } from '../../core/errors/errors.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** Returns the error of a failed start: UnusableDataError for problems that the operator must fix. */
export function failureOfStart(error: unknown, dataDirectory: string): unknown {
  // During the start, no supervisor restarts the enclave.
  if (error instanceof ServiceError && error.code === 'enclave_unavailable') {
    return new UnusableDataError('the enclave did not start: the lines above say why');
  }
  return isOfFiles(error)
    ? new UnusableDataError(`${dataDirectory} cannot be used: ${named(error)}`)
    : error;
}

const networkCalls = ['listen', 'bind', 'connect', 'getaddrinfo'];

/** Returns true for errors of the operating system about files, which usually name the file. */
function isOfFiles(error: unknown): error is Error {
  if (!(error instanceof Error && 'errno' in error && 'code' in error)) return false;
  return !('syscall' in error && networkCalls.includes(String(error.syscall)));
}

/** Names an exceeded quota, for which Node has no name. */
function named(error: Error): string {
  const isQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT;
  return isQuota ? `${error.message} (EDQUOT: the disk quota is used up)` : error.message;
}
