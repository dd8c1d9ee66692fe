// Converts errors at the start of a service to failures of a command.

import { ServiceError } from '../../core/errors/errors.ts';
import { shareErrors } from '../../core/errors/rows/shares.ts';
import { SettingsError } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { Failure, usage } from '../words/failures.ts';

/** Returns the failure for a start error; undefined for internal errors. */
export function failureOfStart(error: unknown): Failure | undefined {
  if (error instanceof SettingsError) return usage(error.message, error.help);
  const isOfShares = error instanceof ServiceError && Object.hasOwn(shareErrors, error.code);
  if (error instanceof UnusableDataError || isOfShares) {
    return new Failure({ exit: 'unexpected', code: 'data_unusable', message: error.message });
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
    const message = `cannot listen: ${error.message}`;
    return new Failure({ exit: 'unexpected', code: 'cannot_listen', message });
  }
  return undefined;
}
