// Hooks of a file run around each of its own tests, in the order of their definition.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { beginFile, takeHook, withHooks } from './file_hooks.ts';

const calls: string[] = [];
beforeEach(() => {
  calls.push('before');
});
afterEach(async () => {
  await Promise.resolve();
  calls.push('after');
});

test('a hook runs before the test', () => {
  assert.deepEqual(calls, ['before']);
});

test('a hook runs after each earlier test', () => {
  assert.deepEqual(calls, ['before', 'after', 'before']);
});

describe('hooks of another file', () => {
  const none = () => undefined;

  test('do not run around a test', async () => {
    const ran: string[] = [];
    beginFile();
    assert.ok(takeHook('beforeEach', () => ran.push('first')));
    const first = withHooks(none);
    beginFile();
    const second = withHooks(none);
    assert.ok(takeHook('afterEach', () => ran.push('second')));
    await first();
    assert.deepEqual(ran, ['first']);
    await second();
    assert.deepEqual(ran, ['first', 'second']);
  });

  test('run after a test that fails', async () => {
    const ran: string[] = [];
    beginFile();
    takeHook('afterEach', () => ran.push('after'));
    const failing = withHooks(() => assert.fail('the test fails'));
    await assert.rejects(async () => failing(), /the test fails/);
    assert.deepEqual(ran, ['after']);
  });

  test('around all tests stay with node:test', () => {
    assert.equal(takeHook('before', none), false);
    assert.equal(takeHook('after', none), false);
  });
});
