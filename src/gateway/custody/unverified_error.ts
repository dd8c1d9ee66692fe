import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** A backup, or a row in it, differs from the written one and must not be used. */
export class UnverifiedError extends UnusableDataError {}
