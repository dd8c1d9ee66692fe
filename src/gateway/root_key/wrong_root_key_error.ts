import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** The database, or the service so far, rests on another root key. */
export class WrongRootKeyError extends UnusableDataError {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongRootKeyError';
  }
}
