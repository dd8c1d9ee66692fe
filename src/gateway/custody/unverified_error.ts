import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** A backup, or a row in it, is not what was written: it must not be used. */
export class UnverifiedError extends UnusableDataError {}
