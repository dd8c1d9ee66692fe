/**
 * A fault that the operator must fix before the service can use its data: another owner, file modes, a
 * database of another version. The message is one sentence, printed without a stack.
 */
export class UnusableDataError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UnusableDataError';
  }
}
