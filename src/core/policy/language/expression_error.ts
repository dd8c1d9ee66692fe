/**
 * An invalid expression. The message names the problem and its position, with the expected and the actual
 * text.
 */
export class ExpressionError extends Error {
  /** Offset in bytes of the UTF-8 text. */
  readonly position: number;
  readonly expected: string;
  readonly found: string;

  constructor(problem: string, position: number, expected: string, found: string) {
    super(`${problem} at ${position}: expected ${expected}, found ${found}`);
    this.name = 'ExpressionError';
    this.position = position;
    this.expected = expected;
    this.found = found;
  }
}
