import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** The database, or the service before this start, uses another root key. */
export class WrongRootKeyError extends UnusableDataError {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongRootKeyError';
  }
}
