// Long JSON is serialized in steps.

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

test('isLongJson adds the lengths of nested texts', () => {
  const long = 'a'.repeat(11);
  assert.equal(isLongJson({ activities: [{ votes: [{ message: long }] }] }, 10), true);
  assert.equal(isLongJson({ many: Array(300).fill('aa') }, 599), true);
  assert.equal(isLongJson({ many: Array(300).fill('aa') }, 600), false);
  assert.equal(isLongJson({ none: undefined, no: null, is: true }, 0), false);
});
