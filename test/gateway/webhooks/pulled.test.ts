// Endpoints without a URL: nothing is sent, and a receiver can fetch, verify and forward their events.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { refusalOf } from '../../e2e/webhook_receiver.ts';
import {
  describedEndpoint,
  makeEndpoint,
  receiverUrl,
  shownDeliveries,
  shownEndpoints,
} from '../../operations/webhooks/webhook_requests.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { createWorld, dayMs, hourMs, minuteMs } from './world.ts';

const filtersJson = '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}';
const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', filtersJson }];

type Shown = {
  readonly sequence: string;
  readonly eventId: string;
  readonly state: string;
  readonly nextAttemptAt?: object;
  readonly attempts: readonly object[];
  readonly body: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
};

async function startWorld(t: TestContext, changes: object) {
  const service = await startTestService();
  t.after(() => service.close());
  const endpointId = await makeEndpoint(service, { subscriptions, ...changes });
  return { service, endpointId, ...createWorld(service) };
}

/** Returns the published keys of a service, like a receiver fetches them. */
function keySetOf(service: TestService): Parameters<typeof refusalOf>[1] {
  return {
    fetches: () => 1,
    keyOf: async (kid) => {
      const { body } = await service.enclave.webhookKeySet(undefined);
      const { keys } = JSON.parse(Buffer.from(body).toString());
      return keys.find((key: { kid: string }) => key.kid === kid);
    },
  };
}

const deliveryOf = ({ headers, body }: Shown) => ({
  headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
  body: Buffer.from(body),
});

test('nothing is sent for an endpoint without a URL, which shows an empty one', async (t) => {
  const { service, endpointId, start, pass, arrived, lines } = await startWorld(t, {
    url: undefined,
  });
  const [shown] = await shownEndpoints(service);
  assert.equal(shown.url, '');
  const worker = start();
  await rename(service, 'One');
  worker.wake();
  await rename(service, 'Two');
  await pass(dayMs);
  assert.deepEqual(arrived, []);
  const { deliveries, lastSequence } = await shownDeliveries(service, endpointId);
  assert.equal(lastSequence, '2');
  for (const delivery of deliveries as Shown[]) {
    const { state, attempts, nextAttemptAt } = delivery;
    assert.deepEqual(
      { state, attempts, nextAttemptAt },
      {
        state: 'pulled',
        attempts: [],
        nextAttemptAt: undefined,
      },
    );
  }
  // No attempt is due, and the endpoint has not failed.
  const next = { endpointId, now: service.now(), limit: 10 };
  assert.deepEqual(await service.store.outbox.next(next), []);
  assert.deepEqual(lines, []);
  await worker.stop();
});

test('its events are equal before and after the worker has seen them', async (t) => {
  const { service, endpointId, start, pass } = await startWorld(t, { url: undefined });
  await rename(service, 'One');
  const before = await shownDeliveries(service, endpointId, { withBodies: true });
  const worker = start();
  await pass(minuteMs);
  assert.deepEqual(await shownDeliveries(service, endpointId, { withBodies: true }), before);
  assert.equal(before.deliveries[0].headers, undefined);
  await worker.stop();
});

test('a receiver that fetches an event can verify it as a current delivery, and forward its bytes', async (t) => {
  const { service, endpointId, pass } = await startWorld(t, { url: undefined });
  const { body } = await rename(service, 'One');
  await pass(dayMs);
  const { deliveries } = await shownDeliveries(service, endpointId, { withHeaders: true });
  const [event] = deliveries as [Shown];
  const delivery = deliveryOf(event);
  assert.equal(await refusalOf(delivery, keySetOf(service), service.now()), undefined);
  assert.equal(delivery.headers['x-service-event-id'], event.eventId);
  assert.equal(delivery.headers['x-service-sequence'], '1');
  assert.equal(delivery.headers['x-service-timestamp'], String(service.now()));
  assert.equal(delivery.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(event.body).id, body.activity.id);
  const altered = { ...delivery, body: Buffer.from(event.body.replace('One', 'Two')) };
  assert.equal(await refusalOf(altered, keySetOf(service), service.now()), 'signature');
});

test('the signature of a sent event is no newer than the last attempt', async (t) => {
  const { service, endpointId, start, pass, arrived } = await startWorld(t, {});
  await rename(service, 'One');
  const waiting = await shownDeliveries(service, endpointId, { withHeaders: true });
  const madeAtMs = service.now();
  await pass(hourMs);
  const worker = start();
  await pass(minuteMs);
  const [sent] = arrived;
  assert(sent !== undefined);
  await pass(dayMs);
  const delivered = await shownDeliveries(service, endpointId, { withHeaders: true });
  const headersOf = ({ deliveries }: { deliveries: [Shown] }) => deliveryOf(deliveries[0]).headers;
  assert.equal(headersOf(waiting)['x-service-timestamp'], String(madeAtMs));
  assert.equal(headersOf(delivered)['x-service-timestamp'], String(sent.atMs));
  const late = await refusalOf(
    deliveryOf(delivered.deliveries[0]),
    keySetOf(service),
    service.now(),
  );
  assert.equal(late, 'timestamp');
  await worker.stop();
});

test('its events are deleted after their time', async (t) => {
  const { service, endpointId, start, pass } = await startWorld(t, { url: undefined });
  const worker = start({ limits: { pollMs: hourMs } });
  await rename(service, 'One');
  worker.wake();
  await pass(29 * dayMs);
  const sequences = async () =>
    (await shownDeliveries(service, endpointId)).deliveries.map(({ sequence }: Shown) => sequence);
  assert.deepEqual(await sequences(), ['1']);
  await pass(dayMs + 3 * hourMs);
  assert.deepEqual(await sequences(), []);
  await worker.stop();
});

test('it takes no redeliveries, and an update gives it a URL for later events', async (t) => {
  const { service, endpointId, start, pass, arrived } = await startWorld(t, { url: undefined });
  const worker = start();
  await rename(service, 'One');
  worker.wake();
  await pass(minuteMs);
  const type = 'ACTIVITY_TYPE_REDELIVER_WEBHOOK_EVENTS';
  const range = { endpointId, firstSequence: '1', lastSequence: '1' };
  const refused = await service.submit('redeliver_webhook_events', type, range);
  assert.equal(refused.status, 400);
  assert.match(refused.body.message, /endpointId.*expected an endpoint with a URL/);
  const update = await service.submit(
    'update_webhook_endpoint',
    'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT',
    { endpointId, url: receiverUrl },
  );
  assert.equal(update.status, 200, update.body.message);
  await rename(service, 'Two');
  worker.wake();
  await pass(minuteMs);
  assert.deepEqual(
    arrived.map(({ url, sequence }) => `${url} ${sequence}`),
    [`${receiverUrl} 2`],
  );
  await worker.stop();
});

test('an empty URL is still refused', async (t) => {
  const { service } = await startWorld(t, {});
  const { status, body } = await service.submit(
    'create_webhook_endpoint',
    'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
    describedEndpoint({ url: '' }),
  );
  assert.equal(status, 400);
  assert.match(body.message, /url/);
});
