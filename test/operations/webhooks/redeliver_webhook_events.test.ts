import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeEndpoint, shownDeliveries } from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const wire = {
  operation: 'redeliver_webhook_events',
  type: 'ACTIVITY_TYPE_REDELIVER_WEBHOOK_EVENTS',
  intent: 'redeliverWebhookEventsIntent',
  result: 'redeliverWebhookEventsResult',
};
const filtersJson = '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}';
const renames = { subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson }] };

type Shown = { readonly sequence: string; readonly eventId: string; readonly state: string };

/** Creates an endpoint with this number of events, all of them given up. */
async function endpointWith(count: number): Promise<string> {
  const endpointId = await makeEndpoint(service, renames);
  for (let n = 0; n < count; n += 1) await rename(service, `Name ${endpointId} ${n}`);
  await service.store.outbox.drop({ endpointId, state: 'dropped' });
  return endpointId;
}

async function waiting(endpointId: string): Promise<string[]> {
  const { deliveries } = await shownDeliveries(service, endpointId);
  return deliveries
    .filter(({ state }: Shown) => state === 'waiting')
    .map(({ sequence }: Shown) => sequence);
}

test('redeliver_webhook_events: takes a range of sequence numbers', async () => {
  const endpointId = await endpointWith(5);
  assert.deepEqual(await waiting(endpointId), []);
  const parameters = { endpointId, firstSequence: '2', lastSequence: '4' };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.firstSequence', parameters: { endpointId } },
      { field: 'parameters.eventIds', parameters: { ...parameters, eventIds: [unknownId] } },
      { field: 'parameters.eventIds', parameters: { endpointId, eventIds: [] } },
      { field: 'parameters.eventIds.0', parameters: { endpointId, eventIds: ['x'] } },
      { field: 'parameters.firstSequence', parameters: { ...parameters, firstSequence: '0' } },
    ],
  });
  assert.deepEqual(result, { endpointId, eventCount: '3' });
  assert.deepEqual(await waiting(endpointId), ['2', '3', '4']);
});

test('redeliver_webhook_events: skips sequence numbers that never existed', async () => {
  const endpointId = await endpointWith(2);
  for (const [firstSequence, lastSequence, eventCount] of [
    [2, 9_000, '1'],
    [3, 4, '0'],
    [2, 1, '0'],
  ]) {
    const parameters = { endpointId, firstSequence, lastSequence };
    const { body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(body.activity.result[wire.result].eventCount, eventCount);
  }
  assert.deepEqual(await waiting(endpointId), ['2']);
});

test('redeliver_webhook_events: deleted events do not count', async () => {
  const endpointId = await endpointWith(4);
  const forgotten = { endpointId, beforeMs: Number.MAX_SAFE_INTEGER, limit: 2 };
  assert.equal(await service.store.outbox.forget(forgotten), 2);
  for (const [firstSequence, lastSequence, eventCount] of [
    [1, 3, '1'],
    [1, 2, '0'],
    // More sequence numbers than the limit of events, but not more events.
    [1, 20_000, '2'],
  ]) {
    const parameters = { endpointId, firstSequence, lastSequence };
    const { body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(body.activity.result[wire.result].eventCount, eventCount);
  }
  assert.deepEqual(await waiting(endpointId), ['3', '4']);
});

test('redeliver_webhook_events: takes ids of events', async () => {
  const endpointId = await endpointWith(3);
  const { deliveries } = await shownDeliveries(service, endpointId);
  const ids = deliveries.map(({ eventId }: Shown) => eventId);
  const eventIds = [ids[2].toUpperCase(), ids[0], ids[0]];
  const { body } = await service.submit(wire.operation, wire.type, { endpointId, eventIds });
  assert.equal(body.activity.result[wire.result].eventCount, '2');
  assert.deepEqual(await waiting(endpointId), ['1', '3']);

  const others = await endpointWith(1);
  await checkRefused(
    service,
    { ...wire, parameters: { endpointId: others, eventIds: [ids[0]] } },
    { status: 404, code: 5, text: /^unable to find webhook event/ },
  );
});

test('redeliver_webhook_events: takes only endpoints of this organization', async () => {
  const ofChild = await makeEndpoint(service, {}, await addChild(service));
  for (const endpointId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { endpointId, firstSequence: 1, lastSequence: 1 } },
      { status: 404, code: 5, text: /^unable to find webhook endpoint/ },
    );
  }
});
