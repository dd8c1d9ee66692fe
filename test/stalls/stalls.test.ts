// No piece of work keeps all other requests waiting for long. `npm run stalls` tries all worst texts of
// expressions, and prints the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { measuredOperations, measureOperation, measureWritten, type Worst } from './operations.ts';
import { writtenRows } from './written_rows.ts';

/** The median of several runs, in milliseconds. The goal is 10; a busy machine lengthens pieces. */
const limitMs = 25;
/** Reading the largest interface is one piece; before it was bounded it took 121 ms. */
const interfaceLimitMs = 60;

test('every operation is measured', () => {
  const operations = { ...activityOperations, ...voteOperations, ...queryOperations };
  assert.deepEqual(
    measuredOperations.map(([, name]) => name).toSorted(),
    Object.keys(operations).toSorted(),
  );
});

test('the largest interfaces hold the thread no longer', async () => {
  const rows = writtenRows.filter(({ name }) => /^an IDL|^a description/.test(name));
  assert.equal(rows.length, 2);
  for (const row of rows) {
    const { enclaveMs, status } = await measureWritten(row, limitMs);
    assert.equal(status, 200);
    assert.ok(enclaveMs <= interfaceLimitMs, `${row.name}: ${enclaveMs} ms`);
  }
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
  const accepted = found.filter(({ acceptedBytes }) => acceptedBytes > 100_000);
  assert.ok(accepted.length > 0);
});
