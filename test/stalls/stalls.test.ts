// No piece of work delays all other requests for long. `npm run stalls` tries all worst texts of
// expressions, and prints the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { measuredOperations, measureOperation, measureWritten, type Worst } from './operations.ts';
import { writtenRows } from './written_rows.ts';

/**
 * The limit of the median of several runs, in milliseconds. The goal is 10, and a busy machine can double
 * it.
 */
const limitMs = 25;

test('every operation is measured', () => {
  const operations = { ...activityOperations, ...voteOperations, ...queryOperations };
  assert.deepEqual(
    measuredOperations.map(([, name]) => name).toSorted(),
    Object.keys(operations).toSorted(),
  );
});

/** Requests that took 10 to 94 ms in one piece before their work ran in steps. */
const cut =
  /^4 MiB|^an activity|^an IDL|^an ABI|^a description|^a sub-org.*keys each|integers|^a quorum|^a vote/;

test('large bodies, texts, interfaces and lists of keys are read and stored in many pieces', async () => {
  const rows = writtenRows.filter(({ name }) => cut.test(name));
  assert.equal(rows.length, 18);
  for (const row of rows) {
    const { enclaveMs } = await measureWritten(row, limitMs);
    assert.ok(enclaveMs <= limitMs, `${row.name}: ${enclaveMs} ms`);
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
  // The largest lists and texts were accepted; otherwise only refusals would be measured.
  const accepted = found.filter(({ acceptedBytes }) => acceptedBytes > 100_000);
  assert.ok(accepted.length > 0);
});
