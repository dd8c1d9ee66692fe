import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidingPolicy } from '../../../../src/core/policy/decision/deciding_policies.ts';
import { ExpressionError, newMeter } from '../../../../src/core/policy/language/clause.ts';
import {
  compiledClause,
  createClauseMemory,
} from '../../../../src/core/policy/language/compiled_clauses.ts';

test('equal texts are compiled once', () => {
  const text = (value: string) => ["wallet.id == '", value, "'"].join('');
  const clause = compiledClause('condition', text('same'));
  assert.equal(compiledClause('condition', text('same')), clause);
  assert.notEqual(compiledClause('condition', text('other')), clause);
  // A condition need not be a consensus.
  assert(compiledClause('consensus', text('same')) instanceof ExpressionError);
});

test('a memory keeps so many characters, and forgets what came first', () => {
  const memory = createClauseMemory('condition', 30);
  const texts = ['1 == 1 || true', '2 == 2 || true', '3 == 3 || true'];
  const [first, second, third] = texts.map(memory);
  assert.equal(memory(texts[1] ?? ''), second);
  assert.equal(memory(texts[2] ?? ''), third);
  const again = memory(texts[0] ?? '');
  assert.notEqual(again, first);
  assert(!(again instanceof ExpressionError));
  assert.deepEqual(again.evaluate({}), { value: true });
  // The one that was oldest made room for it.
  assert.notEqual(memory(texts[1] ?? ''), second);
});

test('an unreadable expression is cached too, and makes room like the others', () => {
  const memory = createClauseMemory('condition', 10);
  const refused = memory('1 ==');
  assert(refused instanceof ExpressionError);
  assert.equal(memory('1 =='), refused);
  memory('1 == 1 && true');
  assert.notEqual(memory('1 =='), refused);
});

test('a policy whose clauses were forgotten decides as before', () => {
  const policy = decidingPolicy({
    id: 'policy',
    name: 'Policy',
    effect: 'EFFECT_ALLOW',
    condition: "wallet.label == 'one'",
  });
  const decide = (label: string) => policy.condition?.evaluate({ wallet: { label } }, newMeter());
  assert.deepEqual(decide('one'), { value: true });
  const long = (i: number) => `wallet.label == '${String(i).repeat(100_000)}'`;
  for (let i = 0; i < 25; i += 1) compiledClause('condition', long(i));
  assert.deepEqual(decide('one'), { value: true });
  assert.deepEqual(decide('two'), { value: false });
});
