import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fail } from '../../../src/core/errors/errors.ts';
import { makeEndpoint } from '../../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { type Arrived, createWorld, secondMs } from './world.ts';

const subscriptions = [
  {
    eventType: 'ACTIVITY_UPDATES',
    filtersJson: '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}',
  },
];

async function startWorld(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  return { service, ...createWorld(service) };
}

const sequences = (arrived: readonly Arrived[]) => arrived.map(({ sequence }) => sequence);

test('a delayed worker sends nothing that another one may be sending', async (t) => {
  const { service, arrived, start, pass, quiet } = await startWorld(t);
  await makeEndpoint(service, { subscriptions });
  for (const name of ['One', 'Two']) await rename(service, name);
  const heldUp = Promise.withResolvers<void>();
  const slow = start({ owner: 'slow', beforeSigning: () => heldUp.promise });
  await quiet();
  const other = start({ owner: 'other', limits: { pollMs: secondMs } });
  await pass(20 * secondMs);
  assert.deepEqual(sequences(arrived), [1, 2]);
  heldUp.resolve();
  await quiet();
  await slow.stop();
  await other.stop();
  assert.deepEqual(sequences(arrived), [1, 2]);
});

test('a delayed worker continues once it has a lease again', async (t) => {
  const { service, arrived, start, pass, quiet } = await startWorld(t);
  await makeEndpoint(service, { subscriptions });
  await rename(service, 'Told');
  const heldUp = Promise.withResolvers<void>();
  const worker = start({ beforeSigning: () => heldUp.promise });
  await pass(20 * secondMs);
  heldUp.resolve();
  await quiet();
  await worker.stop();
  assert.deepEqual(sequences(arrived), [1]);
});

test('a delivery that was accepted before a failure is not sent again', async (t) => {
  const { service, arrived, start, pass, quiet } = await startWorld(t);
  await makeEndpoint(service, { subscriptions });
  for (let n = 0; n < 20; n += 1) await rename(service, `Name ${n}`);
  let calls = 0;
  const worker = start({
    beforeSigning: async () => {
      calls += 1;
      if (calls === 2) fail('enclave_unavailable');
    },
  });
  await quiet();
  // Another round starts before the outcomes were stored.
  worker.wake();
  await pass(secondMs);
  await worker.stop();
  assert.deepEqual(
    sequences(arrived),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
});

test('an endpoint with unreadable rows delays no other endpoint', async (t) => {
  const { service, arrived, lines, start, pass } = await startWorld(t);
  const broken = await makeEndpoint(service, { subscriptions, url: 'https://broken.example/' });
  await rename(service, 'One');
  service.advance(secondMs);
  await makeEndpoint(service, { subscriptions, url: 'https://sound.example/' });
  await rename(service, 'Two');
  let isBroken = true;
  const worker = start({
    limits: { concurrency: 1, pollMs: secondMs },
    beforeSigning: async (endpointId) => {
      if (isBroken && endpointId === broken) fail('internal');
    },
  });
  await pass(10 * secondMs);
  const urls = () => arrived.map(({ url }) => url);
  assert.deepEqual(urls(), ['https://sound.example/']);
  assert.deepEqual(lines, ['error: webhook deliveries failed unexpectedly']);
  isBroken = false;
  await pass(60 * secondMs);
  await worker.stop();
  assert.deepEqual(urls().slice(1), ['https://broken.example/', 'https://broken.example/']);
});
