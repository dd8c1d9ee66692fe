import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import { casesOf } from '../support/bounds.ts';
import { reproduction } from './reproduction.ts';
import { activityRequests, queryRequests } from './requests.ts';
import { defaultSteps, simulate } from './simulation.ts';

const repeated = casesOf({ usual: 5, soak: 12 });

/** `npm run simulate` runs many more seeds, and requires every kind of activity. */
const seeds = casesOf({ usual: 40, soak: 100 });

test(`${seeds} simulations of the whole service run without a violation`, async () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { complaints } = await simulate(seed);
    assert.deepEqual(complaints, [], reproduction(seed, defaultSteps));
  }
});

test('simulations generate requests of every operation', () => {
  assert.deepEqual(Object.keys(activityRequests).sort(), Object.keys(activityOperations).sort());
  assert.deepEqual(Object.keys(queryRequests).sort(), Object.keys(queryOperations).sort());
});

test('the same seed gives the same history', async () => {
  for (let seed = 1; seed <= repeated; seed += 1) {
    const first = await simulate(seed);
    const second = await simulate(seed);
    assert.equal(second.digest, first.digest, reproduction(seed, defaultSteps));
  }
  assert.notEqual((await simulate(1)).digest, (await simulate(2)).digest);
});
