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
  // The text is a valid condition but not a valid consensus.
  assert(compiledClause('consensus', text('same')) instanceof ExpressionError);
});

test('a cache holds a number of characters, and evicts the oldest clause', () => {
  const { get: memory } = createClauseMemory('condition', 30);
  const texts = ['1 == 1 || true', '2 == 2 || true', '3 == 3 || true'];
  const [first, second, third] = texts.map((text) => memory(text));
  assert.equal(memory(texts[1] ?? ''), second);
  assert.equal(memory(texts[2] ?? ''), third);
  const again = memory(texts[0] ?? '');
  assert.notEqual(again, first);
  assert(!(again instanceof ExpressionError));
  assert.deepEqual(again.evaluate({}), { value: true });
  // The oldest entry was evicted.
  assert.notEqual(memory(texts[1] ?? ''), second);
});

test('an invalid expression is cached too, and evicted like the others', () => {
  const { get: memory } = createClauseMemory('condition', 10);
  const refused = memory('1 ==');
  assert(refused instanceof ExpressionError);
  assert.equal(memory('1 =='), refused);
  memory('1 == 1 && true');
  assert.notEqual(memory('1 =='), refused);
});

test('a policy with evicted clauses decides as before', () => {
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

test('the owner of most characters makes room, so no other owner loses a clause', async () => {
  const memory = createClauseMemory('condition', 100);
  const text = (name: string) => `wallet.id == '${name.padEnd(7, '.')}'`;
  const small = memory.get(text('small'), 'small');
  for (let i = 0; i < 50; i += 1) {
    await memory.compileInParts(text(`f${i}`), 'flooder', async () => undefined);
  }
  assert.equal(memory.get(text('small'), 'small'), small);
  assert.equal(memory.forgotten(), 47);
  assert(memory.has(text('f49')));
});

test('a long clause is compiled in parts, with the same meaning', async () => {
  const memory = createClauseMemory('condition', 2_000_000);
  const text = Array.from({ length: 2_000 }, (_, i) => `wallet.id == '${i}'`).join(' || ');
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  await memory.compileInParts(text, 'owner', pause);
  assert.ok(pauses > text.length / 1_000, `${pauses} pauses`);
  const clause = memory.get(text);
  assert(!(clause instanceof ExpressionError));
  assert.deepEqual(clause.evaluate({ wallet: { id: '1999' } }), { value: true });
  assert.deepEqual(clause.evaluate({ wallet: { id: '2000' } }), { value: false });
  await memory.compileInParts(`${text} ||`, 'owner', pause);
  assert(memory.get(`${text} ||`) instanceof ExpressionError);
});
