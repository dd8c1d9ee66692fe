import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBusyTime } from '../../src/enclave/measurements/vitals.ts';

test('the processor time of the thread is read at intervals, in whole milliseconds', () => {
  let nowMs = 100;
  let activeMs = 7.4;
  const busyMs = createBusyTime(
    () => nowMs,
    () => activeMs,
  );
  assert.equal(busyMs(), 7);
  activeMs = 20.6;
  assert.equal(busyMs(), undefined);
  nowMs += 4.9;
  assert.equal(busyMs(), undefined);
  nowMs += 0.1;
  assert.equal(busyMs(), 21);
});
