// Expressions that a clause takes or refuses, at the bounds of their types.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClauseName,
  compileClause,
  ExpressionError,
} from '../../../../src/core/policy/language/clause.ts';

const isTaken = (clause: ClauseName, text: string): boolean => {
  try {
    compileClause(clause, text);
    return true;
  } catch (error) {
    assert.ok(error instanceof ExpressionError, String(error));
    return false;
  }
};

test('each function is taken in its clauses alone', () => {
  for (const [text, clauses] of [
    [`CaseInsensitiveString('A') == 'a'`, ['condition', 'consensus', 'time']],
    [`time.now > Timestamp('2026-01-01T00:00:00Z')`, ['time']],
    [`CronSpan('0 9 * * *', '1h', 'UTC')`, ['time']],
  ] as const) {
    const taken = (['condition', 'consensus', 'time'] as const).filter((clause) =>
      isTaken(clause, text),
    );
    assert.deepEqual(taken, clauses, text);
  }
});

test('an integer is of the smallest type that holds it', () => {
  const [int, uint] = ['eth.tx.value', 'eth.eip_712.domain.chain_id'];
  for (const [value, isInt, isUint] of [
    [-(2n ** 127n) - 1n, false, false],
    [-(2n ** 127n), true, true],
    [-1n, true, true],
    [0n, true, true],
    [2n ** 127n - 1n, true, true],
    [2n ** 127n, false, true],
    [2n ** 256n - 1n, false, true],
    [2n ** 256n, false, false],
  ] as const) {
    assert.equal(isTaken('condition', `${int} == ${value}`), isInt, `int ${value}`);
    assert.equal(isTaken('condition', `${uint} == ${value}`), isUint, `uint ${value}`);
  }
});
