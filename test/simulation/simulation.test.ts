import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations } from '../../src/operations/index.ts';
import { createCoverage } from './coverage.ts';
import { reproduction } from './reproduction.ts';
import { activityRequests } from './requests.ts';
import { defaultSteps, simulate } from './simulation.ts';

/** More are run while something has not been done yet. */
const [seeds, maximumSeeds] = [100, 300];

test(`${seeds} simulations of the whole service: nothing happens that must never be`, async () => {
  const coverage = createCoverage();
  let seed = 1;
  for (; seed <= seeds || (seed <= maximumSeeds && coverage.missing().length > 0); seed += 1) {
    const result = await simulate(seed);
    assert.deepEqual(result.complaints, [], reproduction(seed, defaultSteps));
    coverage.add(result);
  }
  assert.deepEqual(coverage.missing(), []);
});

test('simulations ask for every operation that there is', () => {
  assert.deepEqual(Object.keys(activityRequests).sort(), Object.keys(activityOperations).sort());
});

test('the same seed gives the same history', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const first = await simulate(seed);
    const second = await simulate(seed);
    assert.equal(second.digest, first.digest, reproduction(seed, defaultSteps));
  }
  assert.notEqual((await simulate(1)).digest, (await simulate(2)).digest);
});
