/**
 * A fault that the operator has to mend before the service can run on its data: another owner, file modes,
 * a database of another version. The message is one sentence to print, without a stack.
 */
export class UnusableDataError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UnusableDataError';
  }
}
