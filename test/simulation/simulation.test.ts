import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations } from '../../src/operations/index.ts';
import { reproduction } from './reproduction.ts';
import { activityRequests } from './requests.ts';
import { defaultSteps, simulate } from './simulation.ts';

const seeds = 300;

test(`${seeds} simulations of the whole service: nothing happens that must never be`, async () => {
  const committed = new Map<string, number>();
  const answers = new Map<string, number>();
  const failed: string[] = [];
  for (let seed = 1; seed <= seeds && failed.length === 0; seed += 1) {
    const result = await simulate(seed);
    if (result.complaints.length > 0) {
      failed.push(...result.complaints, reproduction(seed, defaultSteps));
    }
    add(committed, result.committed);
    add(answers, result.answers);
  }
  assert.deepEqual(failed, []);

  // What was never done was never tried.
  const types = Object.values(activityOperations).map((operation) => operation.wire.type);
  assert.deepEqual(
    types.filter((type) => !committed.has(type)),
    [],
  );
  const wanted = ['200', 'lost', 'enclave_unavailable', 'store_unavailable', 'api_key_expired'];
  assert.deepEqual(
    wanted.filter((what) => !answers.has(what)),
    [],
  );
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

function add(totals: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [what, count] of counts) totals.set(what, (totals.get(what) ?? 0) + count);
}
