import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/core/errors/errors.ts';

/** Asserts a refusal at `path` with a matching reason. */
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

/** Calls a function that may refuse, and rethrows all other errors. */
export function doneOrRefused(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
