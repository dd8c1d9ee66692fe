import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { approve, by, changeQuorum, shownAs } from '../../votes/voting.ts';
import { assertViolation, checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import {
  describedEndpoint,
  makeEndpoint,
  receiverUrl,
  shownEndpoints,
} from './webhook_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const wire = {
  operation: 'create_webhook_endpoint',
  type: 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
  intent: 'createWebhookEndpointIntent',
  result: 'createWebhookEndpointResult',
};
const filtersJson = '{"resources":["WALLET"]}';
const subscriptions = [
  { eventType: 'ACTIVITY_UPDATES', filtersJson, isActive: false },
  { eventType: 'BALANCE_CONFIRMED_UPDATES' },
];

// RES-WEBHOOK-ENDPOINT-02 … RES-WEBHOOK-ENDPOINT-10, HOOK-02, HOOK-03
test('create_webhook_endpoint: creates an endpoint with its subscriptions', async () => {
  const badUrls = [
    '',
    'receiver.example',
    'ftp://receiver.example/',
    'https://me:pw@receiver.example/',
  ];
  const malformedUrls = [...badUrls, `https://receiver.example/${'x'.repeat(2048)}`];
  const withSubscription = (subscription: object) => ({
    ...describedEndpoint(),
    subscriptions: [subscription],
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters: { url: receiverUrl, name: 'Ledger', subscriptions },
    optional: ['url', 'subscriptions'],
    malformed: [
      ...malformedUrls.map((url) => ({
        field: 'parameters.url',
        parameters: describedEndpoint({ url }),
      })),
      ...['', ' ', 'a\nb'].map((name) => ({
        field: 'parameters.name',
        parameters: describedEndpoint({ name }),
      })),
      {
        field: 'parameters.subscriptions.0.eventType',
        parameters: withSubscription({ eventType: 'EVERYTHING' }),
      },
      {
        field: 'parameters.subscriptions.0.filtersJson',
        parameters: withSubscription({ eventType: 'ACTIVITY_UPDATES', filtersJson: '{"who":[]}' }),
      },
      {
        field: 'parameters.subscriptions',
        parameters: describedEndpoint({
          subscriptions: Array.from({ length: 17 }, () => ({ eventType: 'ACTIVITY_UPDATES' })),
        }),
      },
      { field: 'parameters.eventTypes', parameters: describedEndpoint({ eventTypes: [] }) },
    ],
  });
  const { organizationId } = service.root;
  assert.deepEqual(result.webhookEndpoint, {
    endpointId: result.endpointId,
    organizationId,
    url: receiverUrl,
    name: 'Ledger',
    isActive: true,
    subscriptions: [
      { eventType: 'ACTIVITY_UPDATES', filtersJson, isActive: false },
      { eventType: 'BALANCE_CONFIRMED_UPDATES', isActive: true },
    ],
  });
  assert.deepEqual(await shownEndpoints(service), [result.webhookEndpoint]);
});

test('create_webhook_endpoint: an unknown event type is refused with the list of the known types', async () => {
  const { body } = await service.submit(
    wire.operation,
    wire.type,
    describedEndpoint({ subscriptions: [{ eventType: 'BALANCES' }] }),
  );
  assert.match(
    body.message,
    /expected one of ACTIVITY_UPDATES, BALANCE_CONFIRMED_UPDATES, BALANCE_FINALIZED_UPDATES, SEND_TRANSACTION_STATUS_UPDATES, WEBHOOK_ENDPOINT_UPDATES/,
  );
});

test('create_webhook_endpoint: a forbidden target is refused with the reason', async () => {
  const url = 'https://inner.example/';
  service.outside.refusedTargets.set(url, 'the address is private');
  await checkRefused(
    service,
    { ...wire, parameters: describedEndpoint({ url }) },
    {
      status: 400,
      code: 3,
      field: 'parameters.url',
      text: /`parameters.url`: refused: the address is private/,
    },
  );
});

// OPEN-14
test('create_webhook_endpoint: children subscribe to their own events, and not to those of the parent', async () => {
  const child = await addChild(service);
  const endpointId = await makeEndpoint(service, {}, child);
  assert.deepEqual(
    (await shownEndpoints(service, child)).map((endpoint) => endpoint.endpointId),
    [endpointId],
  );
  for (const eventType of [
    'BALANCE_CONFIRMED_UPDATES',
    'BALANCE_FINALIZED_UPDATES',
    'SEND_TRANSACTION_STATUS_UPDATES',
  ]) {
    const subscriptions = [{ eventType }];
    await checkRefused(
      service,
      { ...wire, parameters: describedEndpoint({ subscriptions }), as: child },
      { status: 403, code: 7, text: new RegExp(`cannot subscribe to ${eventType}`) },
    );
  }
});

test('create_webhook_endpoint: an organization has at most ten', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  for (let n = 0; n < 10; n += 1) await makeEndpoint(own, { name: `Endpoint ${n}` });
  await checkRefused(
    own,
    { ...wire, parameters: describedEndpoint() },
    { status: 429, code: 8, text: /maximum webhook endpoints: the limit is 10/ },
  );
});

test('create_webhook_endpoint: a policy can allow it, and a quorum can require votes', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const userId = await makeUser(own, 'Operator');
  const as = by('Operator');
  await checkRefused(
    own,
    { ...wire, parameters: describedEndpoint(), as },
    { status: 403, code: 7, text: /sufficient permissions/ },
  );
  await makePolicy(own, 'Hooks', {
    consensus: `approvers.any(user, user.id == '${userId}')`,
    condition: "activity.resource == 'WEBHOOK_ENDPOINT' && activity.action == 'CREATE'",
  });
  await makeEndpoint(own, {}, as);

  const userIds = [own.root.userId, userId];
  await changeQuorum(own, { threshold: 2, userIds }, [{}]);
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await own.submit(wire.operation, wire.type, describedEndpoint({ name: 'Second' })),
  );
  assert.equal((await shownEndpoints(own)).length, 1);
  shownAs('COMPLETED', await approve(own, waiting, as));
  assert.equal((await shownEndpoints(own)).length, 2);
});

test('an endpoint of a chat shows its format, and needs a URL', async () => {
  const bodyFormat = 'WEBHOOK_FORMAT_SLACK';
  const id = await makeEndpoint(service, { bodyFormat });
  const shown = await shownEndpoints(service);
  assert.equal(shown.find(({ endpointId }) => endpointId === id).bodyFormat, bodyFormat);
  const parameters = { name: 'Chat', bodyFormat };
  const { status, body } = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(status, 400);
  assert.match(body.message, /parameters\.url/);
  const plain = await makeEndpoint(service, { bodyFormat: 'WEBHOOK_FORMAT_EVENT' });
  const listed = await shownEndpoints(service);
  assert.equal('bodyFormat' in listed.find(({ endpointId }) => endpointId === plain), false);
});

test('create_webhook_endpoint: refuses event types outside of the subscriptions', async (t) => {
  const tolerant = await startTestService({ deployment: { refusesUnknownMembers: false } });
  t.after(() => tolerant.close());
  const parameters = describedEndpoint({ eventTypes: ['ACTIVITY_UPDATES'] });
  const answer = await tolerant.submit(wire.operation, wire.type, parameters);
  // Without the member, the endpoint would exist and never receive an event.
  assertViolation(answer, 'parameters.eventTypes');
});
