import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace, lookEveryMs } from '../../src/gateway/admission/pace.ts';

/** Creates a pace over two threads with a stopped clock and fixed use. */
function startPace() {
  let nowMs = 0;
  const usedMs = { enclave: 0, gateway: 0 };
  const pace = createPace(() => nowMs, [() => usedMs.enclave, () => usedMs.gateway], 10_000);
  return {
    pace,
    usedMs,
    /** Ends one request after a time in which each thread was used this long. */
    serve: (takesMs: number, use: { readonly enclave?: number; readonly gateway?: number }) => {
      nowMs += takesMs;
      usedMs.enclave += use.enclave ?? 0;
      usedMs.gateway += use.gateway ?? 0;
      pace.finished();
    },
  };
}

test('a request counts with the thread that it used most', () => {
  const { pace, serve } = startPace();
  for (let i = 0; i < 1_000; i += 1) serve(10, { enclave: 3, gateway: 7 });
  assert.ok(Math.abs(pace.msEach() - 7) < 0.1, String(pace.msEach()));
  for (let i = 0; i < 1_000; i += 1) serve(10, { enclave: 9, gateway: 1 });
  assert.ok(Math.abs(pace.msEach() - 9) < 0.1, String(pace.msEach()));
});

test('a request that waits for others counts nothing for its wait', () => {
  const { pace, serve } = startPace();
  for (let i = 0; i < 500; i += 1) serve(10_000, { enclave: 2, gateway: 1 });
  assert.ok(Math.abs(pace.msEach() - 2) < 0.1, String(pace.msEach()));
});

test('many requests between two measurements share their use', () => {
  const { pace, usedMs, serve } = startPace();
  for (let round = 0; round < 100; round += 1) {
    usedMs.enclave += lookEveryMs * 2;
    for (let i = 0; i < 19; i += 1) serve(0, {});
    serve(lookEveryMs * 2, {});
  }
  assert.ok(Math.abs(pace.msEach() - 0.5) < 0.01, String(pace.msEach()));
});

test('one long use counts up to a bound, and a counter that restarted counts nothing', () => {
  const { pace, usedMs, serve } = startPace();
  serve(3_600_000, { enclave: 3_600_000 });
  assert.ok(pace.msEach() <= 10_000 / 64, String(pace.msEach()));
  const before = pace.msEach();
  usedMs.enclave = 0;
  serve(10, {});
  assert.ok(pace.msEach() < before);
});
