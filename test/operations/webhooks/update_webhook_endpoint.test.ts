import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { by } from '../../votes/voting.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeEndpoint, shownEndpoints } from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const wire = {
  operation: 'update_webhook_endpoint',
  type: 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT',
  intent: 'updateWebhookEndpointIntent',
  result: 'updateWebhookEndpointResult',
};

test('update_webhook_endpoint: changes the given members and keeps the rest', async () => {
  const endpointId = await makeEndpoint(service);
  const before = await shown(endpointId);
  const parameters = {
    endpointId: endpointId.toUpperCase(),
    url: 'https://other.example/',
    name: 'Other',
    isActive: false,
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['url', 'name', 'isActive'],
    malformed: [
      { field: 'parameters.endpointId', parameters: { ...parameters, endpointId: 'x' } },
      { field: 'parameters.url', parameters: { ...parameters, url: 'http//x' } },
      { field: 'parameters.name', parameters: { ...parameters, name: '' } },
      { field: 'parameters.subscriptions', parameters: { ...parameters, subscriptions: [] } },
    ],
  });
  const { url, name, isActive } = parameters;
  const expected = { ...before, url, name, isActive };
  assert.deepEqual(result, { endpointId, webhookEndpoint: expected });
  assert.deepEqual(await shown(endpointId), expected);
  await service.submit(wire.operation, wire.type, { endpointId, isActive: true });
  assert.deepEqual(await shown(endpointId), { ...expected, isActive: true });
});

test('update_webhook_endpoint: a new target is checked like the first one', async () => {
  const endpointId = await makeEndpoint(service);
  const url = 'https://inner.example/';
  service.outside.refusedTargets.set(url, 'the address is loopback');
  await checkRefused(
    service,
    { ...wire, parameters: { endpointId, url } },
    { status: 400, code: 3, field: 'parameters.url', text: /the address is loopback/ },
  );
});

test('update_webhook_endpoint: takes only endpoints of this organization', async () => {
  const ofChild = await makeEndpoint(service, {}, await addChild(service));
  for (const endpointId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { endpointId, name: 'Mine' } },
      {
        status: 404,
        code: 5,
        text: new RegExp(`^unable to find webhook endpoint ${endpointId} in organization`),
      },
    );
  }
});

test('update_webhook_endpoint: policies see the endpoint', async () => {
  const mine = await makeEndpoint(service);
  const other = await makeEndpoint(service);
  const userId = await makeUser(service, 'Operator');
  await makePolicy(service, 'My endpoint', {
    consensus: `approvers.any(user, user.id == '${userId}')`,
    condition: `activity.params.endpoint_id == '${mine}'`,
  });
  const as = by('Operator');
  const upper = { endpointId: mine.toUpperCase(), name: 'Mine' };
  assert.equal((await service.submit(wire.operation, wire.type, upper, as)).status, 200);
  await checkRefused(
    service,
    { ...wire, parameters: { endpointId: other, name: 'Mine' }, as },
    { status: 403, code: 7, text: /sufficient permissions/ },
  );
});

/** Returns one of the endpoints of the service. */
async function shown(endpointId: string) {
  const found = (await shownEndpoints(service)).find(
    (endpoint) => endpoint.endpointId === endpointId,
  );
  return found ?? assert.fail(endpointId);
}
