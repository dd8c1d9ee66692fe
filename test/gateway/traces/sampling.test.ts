import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSampled } from '../../../src/gateway/traces/sampling.ts';

const says = (traceFlags: number) => ({ traceFlags });

test('the ratio decides, despite the flag of a caller', () => {
  const rules = (ratio: number, drawn: number) => ({
    ratio,
    followsCallers: false,
    random: () => drawn,
  });
  for (const parent of [undefined, says(0), says(1), says(0xff)]) {
    assert.equal(isSampled(parent, rules(0.25, 0.2499)), true);
    assert.equal(isSampled(parent, rules(0.25, 0.25)), false);
    assert.equal(isSampled(parent, rules(0, 0)), false);
    assert.equal(isSampled(parent, rules(1, 0.999_999)), true);
  }
});

test('if the operator follows callers their flag decides, and the ratio without a flag', () => {
  const rules = (ratio: number) => ({ ratio, followsCallers: true, random: () => 0.5 });
  assert.equal(isSampled(says(0x01), rules(0)), true);
  assert.equal(isSampled(says(0x03), rules(0)), true);
  assert.equal(isSampled(says(0x00), rules(1)), false);
  assert.equal(isSampled(says(0x02), rules(1)), false);
  assert.equal(isSampled(undefined, rules(1)), true);
  assert.equal(isSampled(undefined, rules(0)), false);
});
