// Expressions that a clause accepts or refuses, at the bounds of their types.

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

test('each function is accepted only in its clauses', () => {
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

test('an integer has the smallest type that holds it', () => {
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

test('a value of unknown type is indexed only by a number or a text', () => {
  const value = `eth.tx.contract_call_args['a']`;
  for (const [index, expected] of [
    ['0', true],
    [`'b'`, true],
    ['true', false],
    ['[1]', false],
  ] as const) {
    assert.equal(isTaken('condition', `${value}[${index}] == 1`), expected, index);
  }
});

test('a refused member of a list suggests `count`, and no other does', () => {
  for (const [text, expected] of [
    ['wallets.count == 1', '`count()`'],
    ['wallets.length == 1', 'a struct before the dot'],
    ['wallet.id.count == 1', 'a struct before the dot'],
  ] as const) {
    assert.throws(
      () => compileClause('condition', text),
      (error) => error instanceof ExpressionError && error.expected === expected,
      text,
    );
  }
});
