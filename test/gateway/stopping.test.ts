import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStopping, lameDuckOf } from '../../src/gateway/start/stopping.ts';
import { manualClock, settled } from './manual_clock.ts';

function stoppingOf(lameDuckMs: number) {
  const { clock, advance } = manualClock();
  const steps: string[] = [];
  const stopping = createStopping({
    lameDuckMs,
    servers: [{ retire: () => void steps.push('retire') }],
    close: async () => void steps.push('close'),
    log: (_level, message) => steps.push(message),
    clock,
  });
  return { stopping, steps, advance };
}

const begun = ['stopping: not ready from now on', 'retire'];
const ended = ['stopping: no new connections from now on', 'close', 'stopped'];

test('the service continues for the lame-duck phase, and then closes', async () => {
  const { stopping, steps, advance } = stoppingOf(5_000);
  assert.equal(stopping.hasBegun(), false);
  assert.equal(stopping.skipLameDuck(), false);
  const stopped = stopping.stop();
  assert.equal(stopping.hasBegun(), true);
  await advance(4_999);
  assert.deepEqual(steps, begun);
  await advance(1);
  await stopped;
  assert.deepEqual(steps, [...begun, ...ended]);
  assert.equal(stopping.skipLameDuck(), false);
  await stopping.stop();
  assert.deepEqual(steps, [...begun, ...ended]);
});

test('a second signal skips the phase', async () => {
  const { stopping, steps } = stoppingOf(5_000);
  const stopped = stopping.stop();
  await settled();
  assert.equal(stopping.skipLameDuck(), true);
  await stopped;
  assert.deepEqual(steps, [...begun, ...ended]);
});

test('without a phase a second signal changes nothing', async () => {
  const { stopping, steps } = stoppingOf(0);
  const stopped = stopping.stop();
  assert.equal(stopping.skipLameDuck(), false);
  await stopped;
  assert.deepEqual(steps, [...begun, ...ended]);
});

test('behind declared proxies there is a phase by default', () => {
  assert.equal(lameDuckOf({ lameDuckMs: undefined, trustedProxies: 0 }), 0);
  assert.equal(lameDuckOf({ lameDuckMs: undefined, trustedProxies: 1 }), 5_000);
  assert.equal(lameDuckOf({ lameDuckMs: 0, trustedProxies: 1 }), 0);
  assert.equal(lameDuckOf({ lameDuckMs: 700, trustedProxies: 0 }), 700);
});
