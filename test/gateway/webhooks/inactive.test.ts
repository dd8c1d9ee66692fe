import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEndpoint, shownEndpoints } from '../../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { createWorld, dayMs, hourMs } from './world.ts';

const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }];

test('a reactivated endpoint has as long as before to answer', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { receive, start, pass } = createWorld(service);
  const endpointId = await makeEndpoint(service, { subscriptions });
  const update = (isActive: boolean) =>
    service.submit('update_webhook_endpoint', 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', {
      endpointId,
      isActive,
    });
  const isActive = async () => (await shownEndpoints(service))[0]?.isActive;
  receive(() => 500);
  await rename(service, 'Told');
  const worker = start({ limits: { disableAfterMs: dayMs } });
  await pass(hourMs);
  // Its owner deactivates the failing endpoint and returns to it later.
  await update(false);
  await pass(2 * dayMs);
  await update(true);
  await pass(18 * hourMs);
  assert.equal(await isActive(), true);
  await pass(18 * hourMs);
  assert.equal(await isActive(), false);

  await update(true);
  await rename(service, 'Told again');
  worker.wake();
  await pass(hourMs);
  assert.equal(await isActive(), true);
  await worker.stop();
});
