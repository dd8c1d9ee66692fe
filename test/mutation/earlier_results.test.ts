import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEarlierResults, resultsIn, survivedIn } from './earlier_results.ts';

const fault = { file: 'a.ts', lineText: 'return a < b;', fault: '< becomes <=' };
const other = { ...fault, lineText: 'return b < a;' };
const killed = { ...fault, outcome: 'killed' as const, by: 'a.test.ts: t' };
const survived = { ...fault, outcome: 'survived' as const, by: '' };

test('an interrupted run leaves its whole lines to the next run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
  try {
    const path = join(folder, 'results');
    const lines = [killed, survived].map((row) => JSON.stringify(row));
    writeFileSync(path, `${lines.join('\n')}\n{"file":"a.ts","line`);
    assert.deepEqual(readEarlierResults(path), [killed, survived]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('each earlier result belongs to one fault, in the order of equal lines', () => {
  const resultOf = resultsIn([killed, survived]);
  assert.equal(resultOf(other), undefined);
  assert.deepEqual(
    [1, 2, 3].map(() => resultOf(fault)),
    [killed, survived, undefined],
  );
});

test('a fault is tried again if it survived', () => {
  const isAsked = survivedIn([{ ...other, outcome: 'killed', by: '' }, survived]);
  assert.equal(isAsked(fault), true);
  assert.equal(isAsked(other), false);
});
