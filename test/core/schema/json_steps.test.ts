import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../../../src/core/base/steps.ts';
import { isLongJson, jsonTextInSteps } from '../../../src/core/schema/json_steps.ts';

test('jsonTextInSteps returns the text of JSON.stringify', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constant(undefined),
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      assert.equal(finish(jsonTextInSteps(value)), JSON.stringify(value));
    }),
  );
});

test('each long text ends a step', () => {
  const long = 'a'.repeat(64 * 1024);
  const value = { activity: { intent: { i: { payload: long } }, votes: [{ message: long }] } };
  let steps = 0;
  for (const _ of jsonTextInSteps(value)) steps += 1;
  assert.equal(steps, 2);
});

test('a longer text takes several steps, and no character is split', () => {
  for (const unit of ['a', '"', '\u{1f600}', '\ud800']) {
    for (let before = 0; before < 2; before += 1) {
      const value = { a: ['a'.repeat(before) + unit.repeat(200_000)] };
      const steps = jsonTextInSteps(value);
      let count = 0;
      for (let next = steps.next(); ; next = steps.next(), count += 1) {
        if (next.done !== true) continue;
        assert.ok(next.value === JSON.stringify(value), unit);
        break;
      }
      assert.ok(count >= 3, `${count} steps`);
    }
  }
});

test('a long text below many levels is serialized in steps', () => {
  const value = { a: { b: { c: { d: { e: ['f'.repeat(256 * 1024), 1] } } } } };
  assert.equal([...jsonTextInSteps(value)].length >= 4, true);
  assert.equal(finish(jsonTextInSteps(value)), JSON.stringify(value));
});

test('many short members together end a step', () => {
  const users = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, name: 'a'.repeat(256) }));
  const steps = [...jsonTextInSteps({ users })].length;
  assert.ok(steps >= 3 && steps <= 5, `${steps} steps`);
});

test('isLongJson counts an answer of many members as long', () => {
  assert.equal(isLongJson({ users: Array(501).fill({ id: 1 }) }, 1_000_000), true);
  assert.equal(isLongJson({ users: Array(100).fill({ id: 1 }) }, 1_000_000), false);
});

test('isLongJson adds the lengths of nested texts', () => {
  const long = 'a'.repeat(11);
  assert.equal(isLongJson({ activities: [{ votes: [{ message: long }] }] }, 10), true);
  assert.equal(isLongJson({ many: Array(300).fill('aa') }, 599), true);
  assert.equal(isLongJson({ many: Array(300).fill('aa') }, 600), false);
  assert.equal(isLongJson({ none: undefined, no: null, is: true }, 0), false);
});
