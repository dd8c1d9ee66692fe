import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as collecting from './node_test.ts';

const outcomeOf = async (define: () => void) =>
  await collecting.firstFailure(await collecting.collected(async () => define()));

test('tests run in their order between their hooks, until the first failure', async () => {
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  const failure = await outcomeOf(() => {
    collecting.before(step('before'));
    collecting.beforeEach(step('beforeEach'));
    collecting.afterEach(step('afterEach'));
    collecting.after(step('after'));
    collecting.test('first', (t) => {
      t.after(step('t.after'));
      steps.push('first');
    });
    collecting.describe('inner', () => {
      collecting.test('second', async () => {
        steps.push('second');
        throw new Error('wrong');
      });
    });
    collecting.test('third', step('third'));
  });
  assert.equal(failure, 'second: Error: wrong');
  assert.deepEqual(steps, [
    ...['before', 'beforeEach', 'first', 't.after', 'afterEach'],
    ...['beforeEach', 'second', 'afterEach', 'after'],
  ]);
});

test('a test passes, is skipped, or fails with the hook before it', async () => {
  const passing = () =>
    collecting.test('passes', async () => {
      await Promise.resolve();
      return 'an answer is no failure';
    });
  assert.equal(await outcomeOf(passing), undefined);
  const skipped = () => collecting.test('x', { skip: true }, () => assert.fail('it ran'));
  assert.equal(await outcomeOf(skipped), undefined);
  const failing = () => {
    collecting.before(() => assert.fail('no service'));
    passing();
  };
  assert.match((await outcomeOf(failing)) ?? '', /no service/);
});

test('a mock lasts as long as its test', async () => {
  const clock = { now: () => 1 };
  const failure = await outcomeOf(() => {
    collecting.test('mocked', (t) => {
      t.mock.method(clock, 'now', () => 2);
      assert.equal(clock.now(), 2);
    });
    collecting.test('as before', () => assert.equal(clock.now(), 1));
  });
  assert.equal(failure, undefined);
});
