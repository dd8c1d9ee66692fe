import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnMemoryOnceIdle } from '../../src/enclave/measurements/return_memory.ts';

/** A thread whose time and activity a test advances. */
function simulatedThread() {
  const timers: { readonly at: number; readonly callback: () => void }[] = [];
  const thread = { now: 0, active: 0, collections: 0 };
  returnMemoryOnceIdle({
    collect: () => {
      thread.collections += 1;
    },
    activeMs: () => thread.active,
    after: (ms, callback) => timers.push({ at: thread.now + ms, callback }),
  });
  return {
    thread,
    timers,
    /** Advances a number of seconds, in each of which the thread is active for this long. */
    advance: (seconds: number, activeMs: number) => {
      for (let i = 0; i < seconds; i += 1) {
        thread.now += 1_000;
        thread.active += activeMs;
        const due = timers.filter(({ at }) => at <= thread.now);
        for (const timer of due) {
          timers.splice(timers.indexOf(timer), 1);
          timer.callback();
        }
      }
    },
  };
}

test('an idle process collects once, five seconds after its start', () => {
  const { thread, timers, advance } = simulatedThread();
  advance(4, 3);
  assert.equal(thread.collections, 0);
  advance(1, 3);
  assert.equal(thread.collections, 1);
  advance(100, 0);
  assert.equal(thread.collections, 1);
  assert.deepEqual(timers, []);
});

test('a busy process collects after its first idle second', () => {
  const { thread, advance } = simulatedThread();
  advance(60, 400);
  assert.equal(thread.collections, 0);
  advance(1, 0);
  assert.equal(thread.collections, 1);
});

test('a long start delays the collection', () => {
  const { thread, advance } = simulatedThread();
  advance(5, 900);
  assert.equal(thread.collections, 0);
  advance(1, 20);
  assert.equal(thread.collections, 1);
});
