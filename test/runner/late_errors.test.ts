// Checks that errors that no test awaits fail the run, at the place of their test, although no async hook
// follows promises.

import assert from 'node:assert/strict';
import { executionAsyncId } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reportOf } from './report_of.ts';

const late = 'an error after the end of a test';

/** The title of each test of `failing/late.ts` that fails, the name in the report, and the reason. */
const failing = [
  ['a rejection while its test runs', undefined, 'Error: rejected meanwhile'],
  ['a timer while its test runs', undefined, 'AssertionError [ERR_ASSERTION]: thrown meanwhile'],
  ['a server while its test runs', undefined, 'Error: thrown by a request'],
  ['inside of it', undefined, 'AssertionError [ERR_ASSERTION]: nested'],
  ['a test after an await', undefined, 'Error: define tests before the first await'],
  ['a rejection after its test', late, 'Error: Test "a rejection after its test"'],
  ['a timer after its test', late, 'Error: Test "a timer after its test"'],
  ['a rejection of the last test', late, 'Error: Test "a rejection of the last test"'],
] as const;

test('each error that no test awaits fails the run at the place of its test', async () => {
  const output = await reportOf('late.ts');
  const source = readFileSync(join(import.meta.dirname, 'failing/late.ts'), 'utf8').split('\n');
  const lineOf = (title: string) =>
    1 + source.findIndex((line) => line.includes(`test('${title}'`));
  const failures = output.slice(output.indexOf('\nfailures:'));
  const found = [
    ...failures.matchAll(/✖ (.+)\n {2}test\/runner\/failing\/late\.ts:(\d+)\n {2}(.*)\n/g),
  ];
  assert.deepEqual(
    found.map(([, name, line]) => [name, Number(line)]),
    failing.map(([title, name = title]) => [name, lineOf(title)]),
  );
  for (const [index, [title, , reason]] of failing.entries()) {
    assert.ok(found[index]?.[3]?.startsWith(reason), `${title}: ${found[index]?.[3]}`);
  }
  // The error itself follows, with its stack.
  assert.match(failures, /Error: rejected afterwards\n {6}at Timeout/);
  assert.match(output, /ℹ pass 6\nℹ fail 9\n/);
});

test('no async hook follows promises', async () => {
  await Promise.resolve();
  assert.equal(executionAsyncId(), 0);
});
