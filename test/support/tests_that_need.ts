// Tests that need a program outside of npm. If the program is missing, they are skipped with the reason.
// `.ci/run` installs the programs and accepts no skipped test.

import * as runner from 'node:test';

type Hook = (run: () => unknown) => void;

export type ConditionalTests = {
  readonly test: (title: string, run: (context: runner.TestContext) => unknown) => void;
  readonly before: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
};

/**
 * Returns the functions of `node:test`. With a reason, returns functions that skip tests and never run hooks.
 * The functions are not wrapped, because `node:test` reports the caller's location.
 */
export function testsThatNeed(missing: string | undefined): ConditionalTests {
  if (missing === undefined) {
    const { test, before, beforeEach, afterEach } = runner;
    return { test, before, beforeEach, afterEach } as ConditionalTests;
  }
  const never: Hook = () => {};
  return {
    test: (title) => void runner.test(title, { skip: missing }),
    before: never,
    beforeEach: never,
    afterEach: never,
  };
}
