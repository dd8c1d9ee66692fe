import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/core/errors/errors.ts';

/** Asserts that something is refused at `path` with a reason that matches. */
export function refuses(
  act: () => unknown,
  path: string,
  reason: RegExp,
  what: string = path,
): void {
  assert.throws(
    act,
    (error) => {
      assert.ok(error instanceof ServiceError, `${what}: ${String(error)}`);
      const [violation] = error.fieldViolations;
      assert.equal(violation?.field, path, what);
      assert.match(violation?.description ?? '', reason, what);
      return true;
    },
    what,
  );
}

/** Does something that may be refused; any other error is thrown on. */
export function doneOrRefused(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
