// Hooks of a file run around its own tests, in the order of their definition.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { beginFile, beginFileOfNodeTest, endFiles, takeHook, withHooks } from './file_hooks.ts';

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

  test('around all tests run once, before the first test and after the last', async () => {
    const ran: string[] = [];
    beginFile();
    const first = withHooks(() => ran.push('first'));
    takeHook('before', () => ran.push('before'));
    takeHook('beforeEach', () => ran.push('beforeEach'));
    takeHook('after', () => ran.push('after'));
    const second = withHooks(() => ran.push('second'));
    beginFile();
    await withHooks(none)();
    assert.deepEqual(ran, []);
    await first();
    assert.deepEqual(ran, ['before', 'beforeEach', 'first']);
    await second();
    assert.deepEqual(ran.slice(3), ['beforeEach', 'second', 'after']);
    await endFiles();
    assert.equal(ran.length, 6);
  });

  test('before all tests fail each test, and the last hooks run', async () => {
    const ran: string[] = [];
    beginFile();
    takeHook('before', () => assert.fail('no service'));
    takeHook('after', () => ran.push('after'));
    const tests = [withHooks(() => ran.push('first')), withHooks(() => ran.push('second'))];
    for (const each of tests) await assert.rejects(async () => each(), /no service/);
    assert.deepEqual(ran, ['after']);
  });

  test('after all tests fail the last test', async () => {
    beginFile();
    takeHook('after', () => assert.fail('a page logged an error'));
    const [first, last] = [withHooks(none), withHooks(none)];
    await first();
    await assert.rejects(async () => last(), /a page logged an error/);
  });

  test('after all tests run at the end of the process if a test was skipped', async () => {
    const ran: string[] = [];
    beginFile();
    takeHook('after', () => ran.push('after'));
    const first = withHooks(none);
    withHooks(none);
    await first();
    assert.deepEqual(ran, []);
    await endFiles();
    assert.deepEqual(ran, ['after']);
  });

  test('stay with node:test if the file does not own them', () => {
    beginFileOfNodeTest();
    for (const name of ['before', 'beforeEach', 'afterEach', 'after']) {
      assert.equal(takeHook(name, none), false);
    }
    assert.equal(withHooks(none), none);
  });
});
