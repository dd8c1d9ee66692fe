import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseMs, retryDelayMs } from '../../../src/gateway/webhooks/retry_schedule.ts';

const hourMs = 60 * 60 * 1000;

test('delays grow from seconds to hours and stay there', () => {
  const delays = Array.from({ length: 40 }, (_, n) => retryDelayMs(n + 1, 0.5));
  assert.equal(delays[0], 5_000);
  assert.equal(delays.at(-1), 6 * hourMs);
  assert.deepEqual(
    delays.toSorted((a, b) => a - b),
    delays,
  );
  // A week has a few dozen attempts.
  let hours = 0;
  const inAWeek = delays.findIndex((delay) => {
    hours += delay / hourMs;
    return hours > 168;
  });
  assert.ok(inAWeek > 20 && inAWeek < 40, `${inAWeek} attempts`);
});

test('a delay varies by a fifth', () => {
  for (const failures of [1, 2, 5, 10, 100]) {
    const middle = retryDelayMs(failures, 0.5);
    assert.equal(retryDelayMs(failures, 0), Math.round(middle * 0.8));
    assert.equal(retryDelayMs(failures, 1), Math.round(middle * 1.2));
  }
});

test('a failing endpoint gets no request for up to five minutes', () => {
  assert.equal(pauseMs(1, 0.5), 200);
  assert.equal(pauseMs(2, 0.5), 400);
  for (const failures of [12, 100, 5_000]) assert.equal(pauseMs(failures, 0.5), 300_000);
});
