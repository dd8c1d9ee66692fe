import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** The database, or an earlier start of the service, uses another root key. */
export class WrongRootKeyError extends UnusableDataError {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongRootKeyError';
  }
}
