import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeEndpoint } from '../../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { createWorld, dayMs, hourMs } from './world.ts';

const subscriptions = [
  {
    eventType: 'ACTIVITY_UPDATES',
    filtersJson: '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}',
  },
];

/** Creates two events, followed by days without activity. */
async function startQuietWorld(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  const { start, pass } = createWorld(service);
  const endpointId = await makeEndpoint(service, { subscriptions });
  const worker = start({ limits: { pollMs: hourMs } });
  const tell = async (name: string) => {
    await rename(service, name);
    worker.wake();
    await pass(hourMs);
  };
  await tell('One');
  await pass(dayMs);
  await tell('Two');
  const kept = async () => {
    const page = { endpointId, after: 0, limit: 10, eventIds: [] };
    const { deliveries } = await service.store.port.deliveryPage(page);
    return deliveries.map(({ sequence }) => sequence);
  };
  return { service, endpointId, worker, pass, kept };
}

test('deliveries of an endpoint without new events are deleted after their time', async (t) => {
  const { worker, pass, kept } = await startQuietWorld(t);
  await pass(28 * dayMs);
  assert.deepEqual(await kept(), [1, 2]);
  await pass(dayMs + 2 * hourMs);
  assert.deepEqual(await kept(), [2]);
  await pass(dayMs);
  assert.deepEqual(await kept(), []);
  await worker.stop();
});

test('deliveries of a deleted endpoint are deleted, too', async (t) => {
  const { service, endpointId, worker, pass, kept } = await startQuietWorld(t);
  await service.submit('delete_webhook_endpoint', 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', {
    endpointId,
  });
  await pass(31 * dayMs);
  assert.deepEqual(await kept(), []);
  await worker.stop();
});
