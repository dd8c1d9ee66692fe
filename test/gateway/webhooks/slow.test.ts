// Endpoints that accept each delivery just in time, so that no delay after failures limits them.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeEndpoint } from '../../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { createWorld, defaultLimits, secondMs } from './world.ts';

const renamesOnly = {
  filtersJson: '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}',
};
const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', ...renamesOnly }];
const answerMs = 9 * secondMs;

/**
 * Creates endpoints that take nine seconds for each of many deliveries, twice as many as there are slots.
 */
async function startCrowd(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const world = createWorld(service);
  const count = 2 * defaultLimits.concurrency;
  for (let n = 0; n < count; n += 1) {
    await makeEndpoint(service, { subscriptions, url: `https://slow${n}.example/` });
  }
  for (let n = 0; n < 20; n += 1) await rename(service, `Name ${n}`);
  world.receive(({ url }) => (url.includes('slow') ? world.after(answerMs, 200) : 200));
  return { service, count, ...world };
}

test('slow endpoints leave their slots to others after each delivery', async (t) => {
  const { service, arrived, count, start, pass } = await startCrowd(t);
  const worker = start({ limits: { pollMs: secondMs } });
  await pass(2 * secondMs);
  assert.equal(arrived.length, count);
  await makeEndpoint(service, { subscriptions, url: 'https://alive.example/' });
  await rename(service, 'Told');
  const toldAtMs = service.now();
  await pass(60 * secondMs);
  const alive = arrived.find(({ url }) => url.includes('alive'));
  assert.ok(alive !== undefined, 'the endpoint that answers at once had a turn');
  assert.ok(alive.atMs - toldAtMs <= answerMs, `it waited ${alive.atMs - toldAtMs} ms`);
  const stopped = worker.stop();
  await pass(60 * secondMs);
  await stopped;
});
