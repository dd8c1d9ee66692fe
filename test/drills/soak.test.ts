import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slopeOf, soak, takenOf } from './soak.ts';

test('the slope is that of the least-squares line', () => {
  const line = Array.from(
    { length: 60 },
    (_, x) => [x, 7 + 2.5 * x + (x % 2 === 0 ? 1 : -1)] as const,
  );
  assert.ok(Math.abs(slopeOf(line) - 2.5) < 0.01);
  assert.equal(slopeOf([[1, 1]]), 0);
});

test('samples of the warm-up do not count', () => {
  const hourMs = 3_600_000;
  const samples = [0, 1, 2, 3].map((hour) => ({
    atMs: hour * hourMs,
    bytes: hour === 0 ? 1e6 : (100 + 2 * hour) * 1e6,
    descriptors: 20 + hour,
  }));
  const taken = takenOf(samples, hourMs);
  assert.ok(Math.abs(taken.megabytesPerHour - 2) < 1e-9);
  assert.ok(Math.abs(taken.descriptorsPerHour - 1) < 1e-9);
  assert.deepEqual([taken.firstMegabytes, taken.lastMegabytes], [102, 106]);
  assert.deepEqual([taken.fewestDescriptors, taken.mostDescriptors], [21, 23]);
});

test('the slope of the floor excludes memory that collections free', () => {
  const minutes = 40;
  // Garbage grows for 90 seconds until a collection, and the remaining memory grows by 3 MB an hour.
  const samples = Array.from({ length: minutes * 60 }, (_, second) => ({
    atMs: second * 1_000,
    bytes: (100 + (3 * second) / 3_600 + ((second + 40) % 90) / 2) * 1e6,
    descriptors: 20,
  }));
  const { floorMegabytesPerHour } = takenOf(samples, 0);
  assert.ok(Math.abs(floorMegabytesPerHour - 3) < 0.1, `${floorMegabytesPerHour}`);
});

test('a short soak signs at its rate and leaks no descriptor', async () => {
  const { requests, outcomes, gateway, enclave } = await soak({ perSecond: 40, seconds: 6 });
  assert.deepEqual(outcomes, { 200: requests });
  assert.equal(requests, 240);
  for (const { firstMegabytes, fewestDescriptors, mostDescriptors } of [gateway, enclave]) {
    assert.ok(firstMegabytes > 10);
    assert.ok(fewestDescriptors > 3);
    // Connections open and close, so the number varies.
    assert.ok(mostDescriptors - fewestDescriptors <= 64);
  }
});
