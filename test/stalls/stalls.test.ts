// No piece of work keeps all other requests waiting for long. `npm run stalls` tries all worst texts of
// expressions, and prints the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { measuredOperations, measureOperation, type Worst } from './operations.ts';

/** The median of several runs, in milliseconds. The goal is 10; a busy machine lengthens pieces. */
const limitMs = 25;

test('every operation is measured', () => {
  const operations = { ...activityOperations, ...voteOperations, ...queryOperations };
  assert.deepEqual(
    measuredOperations.map(([, name]) => name).toSorted(),
    Object.keys(operations).toSorted(),
  );
});

test('no operation holds the thread for long, whatever body it accepts or refuses', async () => {
  const found: Worst[] = [];
  for (const [kind, operation] of measuredOperations) {
    found.push(await measureOperation(kind, operation, limitMs, 'few'));
  }
  assert.deepEqual(
    found.filter(({ enclaveMs }) => enclaveMs > limitMs),
    [],
  );
  // Lists and texts were accepted at their largest, or the test would measure refusals alone.
  const accepted = found.filter(({ status, bytes }) => status === 200 && bytes > 100_000);
  assert.ok(accepted.length > 0);
});
