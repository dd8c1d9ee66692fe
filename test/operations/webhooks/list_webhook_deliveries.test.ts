import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeEndpoint, shownDeliveries } from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

type Shown = { readonly sequence: string; readonly body: string };

test('list_webhook_deliveries: lists the events of an endpoint in order, with a cursor', async () => {
  const filtersJson = '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}';
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', filtersJson }];
  const endpointId = await makeEndpoint(service, { subscriptions });
  const activities = [];
  for (const name of ['One', 'Two', 'Three']) {
    activities.push((await rename(service, name)).body.activity);
  }
  const operation = 'list_webhook_deliveries';
  const answer = await checkQuery(service, {
    operation,
    body: { endpointId, afterSequence: '1', limit: '1', withBodies: true, withHeaders: false },
    optional: ['afterSequence', 'limit', 'withBodies', 'withHeaders'],
    malformed: [
      { field: 'endpointId', parameters: { endpointId: 'x' } },
      ...['0', '101', '1.5', '-1'].map((limit) => ({
        field: 'limit',
        parameters: { endpointId, limit },
      })),
      { field: 'afterSequence', parameters: { endpointId, afterSequence: '-1' } },
    ],
  });
  assert.equal(answer.lastSequence, '3');
  const [{ eventId, createdAt, nextAttemptAt, body, ...second }] = answer.deliveries;
  assert.match(eventId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(second, {
    sequence: '2',
    eventType: 'ACTIVITY_UPDATES',
    organizationId: service.root.organizationId,
    activityId: activities[1].id,
    state: 'waiting',
    attempts: [],
  });
  assert.deepEqual(nextAttemptAt, createdAt);
  const shown = { ...activities[1], createdAt, updatedAt: createdAt };
  assert.deepEqual(JSON.parse(body), shown);

  const all = await shownDeliveries(service, endpointId);
  assert.deepEqual(
    all.deliveries.map(({ sequence }: Shown) => sequence),
    ['1', '2', '3'],
  );
  assert.ok(all.deliveries.every((delivery: Shown) => delivery.body === undefined));
  assert.deepEqual(
    (await shownDeliveries(service, endpointId, { afterSequence: 3 })).deliveries,
    [],
  );
});

test('list_webhook_deliveries: finds only endpoints of this organization, also for its parent', async () => {
  const child = await addChild(service);
  const endpointId = await makeEndpoint(service, {}, child);
  for (const id of [unknownId, endpointId]) {
    assertRefused(await service.query('list_webhook_deliveries', { endpointId: id }), 404, 5);
  }
  const { organizationId } = child;
  const own = await shownDeliveries(service, endpointId, {}, child);
  assert.deepEqual(await shownDeliveries(service, endpointId, {}, { organizationId }), own);
  assert.equal(own.lastSequence, '1');
});
