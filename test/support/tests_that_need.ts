// Tests that need a program which npm does not bring: where it is missing they are skipped, each with the
// reason, and `.ci/run`, which installs the programs, demands that nothing was skipped.

import * as runner from 'node:test';

type Hook = (run: () => unknown) => void;

export type ConditionalTests = {
  readonly test: (title: string, run: (context: runner.TestContext) => unknown) => void;
  readonly before: Hook;
  readonly afterEach: Hook;
};

/**
 * Returns the functions of `node:test`; with a reason, tests that are skipped and hooks that never run. The
 * functions are not wrapped, because a test is reported at the place that calls `node:test`.
 */
export function testsThatNeed(missing: string | undefined): ConditionalTests {
  if (missing === undefined) {
    const { test, before, afterEach } = runner;
    return { test, before, afterEach } as ConditionalTests;
  }
  const never: Hook = () => {};
  return {
    test: (title) => void runner.test(title, { skip: missing }),
    before: never,
    afterEach: never,
  };
}
