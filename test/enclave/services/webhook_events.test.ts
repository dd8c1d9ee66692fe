// Events that a commit creates and their receivers, and stored rows that differ from the sealed ones.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { featureEndpointOf } from '../../../src/core/webhooks/feature_endpoint.ts';
import type { StoreChange, StoredDelivery } from '../../../src/store/port.ts';
import { makeMfaPolicy } from '../../operations/mfa_policies/mfa_requests.ts';
import { addChild, addPlainUser } from '../../operations/other_callers.ts';
import { makeUser } from '../../operations/users/user_requests.ts';
import { makeEndpoint } from '../../operations/webhooks/webhook_requests.ts';
import { addAuthenticator, passkeyStamp } from '../../pipeline/passkey_requests.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import {
  approve,
  approveType,
  by,
  changeQuorum,
  makeWallet,
  read,
  reject,
  rename,
  renameType,
  shownAs,
} from '../../votes/voting.ts';
import { activityBody, startServiceOver } from '../service_over.ts';

async function start(t: TestContext, log: string[] = []): Promise<TestService> {
  const service = await startTestService({ log });
  t.after(() => service.close());
  return service;
}

async function eventsOf(service: TestService, endpointId: string) {
  const page = { endpointId, after: 0, limit: 100, eventIds: [] };
  return (await service.store.port.deliveryPage(page)).deliveries;
}

/** Returns the signed body of an event. */
async function signed(service: TestService, delivery: StoredDelivery) {
  const { endpointId, organizationId, eventId, sequence, body } = delivery;
  const request = { endpointId, organizationId, deliveries: [{ eventId, sequence, body }] };
  const [answer] = await service.enclave.signDeliveries(request);
  assert(answer !== undefined);
  const text = textOfUtf8(answer.body) ?? '';
  return { ...answer, told: text === '' ? undefined : JSON.parse(text) };
}

/** Returns the events of an endpoint: statuses and types of activities, without its own creation. */
async function toldOf(service: TestService, endpointId: string): Promise<string[]> {
  const told: string[] = [];
  for (const delivery of await eventsOf(service, endpointId)) {
    const { type, status } = (await signed(service, delivery)).told;
    const words = `${type.replace('ACTIVITY_TYPE_', '')} ${status.replace('ACTIVITY_STATUS_', '')}`;
    if (!words.startsWith('CREATE_WEBHOOK_ENDPOINT')) told.push(words);
  }
  return told;
}

test('an endpoint of a chat receives a notice, and its signature covers the notice', async (t) => {
  const service = await start(t);
  const endpointId = await makeEndpoint(service, { bodyFormat: 'WEBHOOK_FORMAT_SLACK' });
  await rename(service, 'Done');
  const delivery = (await eventsOf(service, endpointId)).at(-1);
  assert(delivery !== undefined);
  const { told, body, headers } = await signed(service, delivery);
  assert.match(told.text, /^\*Completed: Update organization name\*\nRequested by /);
  const header = (name: string) =>
    headers.find((each) => each.name === `X-Service-${name}`)?.value ?? '';
  const words = ['v1', 'ed25519', header('Signature-Key-Id'), header('Timestamp')].join('.');
  const message = Buffer.concat([Buffer.from(`${words}.${header('Event-Id')}.`), body]);
  const { body: keySet } = await service.enclave.webhookKeySet(undefined);
  const { keys } = JSON.parse(textOfUtf8(keySet) ?? '');
  const key = createPublicKey({ key: keys[0], format: 'jwk' });
  assert(verify(null, message, key, Buffer.from(header('Signature'), 'hex')));
});

describe('activities', () => {
  // OPEN-18
  test('that complete, are refused or fail cause events', async (t) => {
    const service = await start(t);
    const endpointId = await makeEndpoint(service);
    await rename(service, 'Done');
    const plain = await addPlainUser(service);
    await rename(service, 'Refused', plain);
    assert.deepEqual(await toldOf(service, endpointId), [
      'UPDATE_ORGANIZATION_NAME COMPLETED',
      'TEST COMPLETED',
      'UPDATE_ORGANIZATION_NAME FAILED',
    ]);
  });

  test('that only sign cause events in the same commit', async (t) => {
    const service = await start(t);
    const { body } = await service.submit(
      'create_private_keys',
      'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
      {
        privateKeys: [
          {
            privateKeyName: 'Key',
            curve: 'CURVE_ED25519',
            addressFormats: [],
            privateKeyTags: [],
          },
        ],
      },
    );
    const [{ privateKeyId }] = body.activity.result.createPrivateKeysResultV2.privateKeys;
    const endpointId = await makeEndpoint(service);
    const changes: StoreChange[] = [];
    const { commit } = service.store.port;
    service.store.port.commit = (change) => {
      changes.push(change);
      return commit(change);
    };
    const signature = await service.submit(
      'sign_raw_payload',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      {
        signWith: privateKeyId,
        payload: '00',
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
      },
    );
    assert.equal(signature.status, 200, JSON.stringify(signature.body));
    assert.equal(changes.length, 1);
    assert.deepEqual(
      [changes[0]?.activities.length, changes[0]?.events.length, changes[0]?.organizations.length],
      [1, 1, 0],
    );
    assert.deepEqual(await toldOf(service, endpointId), ['SIGN_RAW_PAYLOAD_V2 COMPLETED']);
  });

  test('that wait cause events with their state at that time, also after the decision', async (t) => {
    const service = await start(t);
    const userId = await makeUser(service, 'Second');
    const thirdId = await makeUser(service, 'Third');
    const userIds = [service.root.userId, userId, thirdId];
    await changeQuorum(service, { threshold: 3, userIds }, [{}]);
    // Creating the endpoint needs two of three approvals, too.
    const asked = shownAs(
      'CONSENSUS_NEEDED',
      await service.submit('create_webhook_endpoint', 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
        url: 'https://receiver.example/',
        name: 'Hook',
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
      }),
    );
    await approve(service, asked, by('Second'));
    const made = shownAs('COMPLETED', await approve(service, asked, by('Third')));
    const { endpointId } = made.result.createWebhookEndpointResult;

    const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Voted'));
    const asItWas = await read(service, waiting);
    shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
    shownAs('COMPLETED', await approve(service, waiting, by('Third')));
    const other = shownAs('CONSENSUS_NEEDED', await rename(service, 'Rejected'));
    shownAs('REJECTED', await reject(service, other, by('Third')));
    assert.deepEqual(await toldOf(service, endpointId), [
      'UPDATE_ORGANIZATION_NAME CONSENSUS_NEEDED',
      'UPDATE_ORGANIZATION_NAME COMPLETED',
      'UPDATE_ORGANIZATION_NAME CONSENSUS_NEEDED',
      'UPDATE_ORGANIZATION_NAME REJECTED',
    ]);
    const [, begun] = await eventsOf(service, endpointId);
    assert(begun !== undefined);
    const { told } = await signed(service, begun);
    assert.equal(told.votes.length, 1);
    assert.deepEqual([told.canApprove, told.canReject], [true, true]);
    assert.deepEqual(
      { ...told, createdAt: '', updatedAt: '', canApprove: '', canReject: '' },
      { ...asItWas, createdAt: '', updatedAt: '', canApprove: '', canReject: '' },
    );
  });

  test('that wait store a large body once, and cause events with all of it', async (t) => {
    const service = await start(t);
    const userIds = [service.root.userId, await makeUser(service, 'Second')];
    const wallet = await makeWallet(service, 'Wallet');
    assert.equal(wallet.status, 200);
    const endpointId = await makeEndpoint(service);
    await changeQuorum(service, { threshold: 2, userIds }, [{}]);
    const stored: number[] = [];
    const { commit } = service.store.port;
    service.store.port.commit = (change) => {
      const rows = [...change.activities, ...change.records, ...change.events];
      stored.push(...rows.map(({ body }) => body.length));
      return commit(change);
    };
    const text = 'x'.repeat(100_000);
    const asked = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Large',
      effect: 'EFFECT_ALLOW',
      condition: `activity.type == '${text}'`,
      notes: '',
    });
    const waiting = shownAs('CONSENSUS_NEEDED', asked);
    const bytes = stored.reduce((sum, length) => sum + length, 0);
    assert.ok(bytes > text.length && bytes < 1.5 * text.length, String(bytes));

    const begun = (await eventsOf(service, endpointId)).at(-1);
    const asItWas = await read(service, waiting);
    shownAs('COMPLETED', await approve(service, waiting, by('Second')));
    assert(begun !== undefined);
    const { told } = await signed(service, begun);
    assert.equal(told.votes[0].message, asItWas.votes[0].message);
    const moments = { createdAt: '', updatedAt: '', canApprove: '', canReject: '' };
    assert.deepEqual({ ...told, ...moments }, { ...asItWas, ...moments });
  });

  test('that wait for credentials and then for votes cause an event for each', async (t) => {
    const service = await start(t);
    const phone = await addAuthenticator(service, service.root.userId, 'phone');
    const userIds = [service.root.userId, await makeUser(service, 'Second')];
    const endpointId = await makeEndpoint(service);
    const condition = `activity.type == '${renameType}'`;
    await makeMfaPolicy(service, service.root.userId, { condition });
    await changeQuorum(service, { threshold: 2, userIds }, [{}]);
    const waiting = shownAs('AUTHENTICATORS_NEEDED', await rename(service, 'Shown and voted'));
    // The same credential again, so the activity still waits for the other one.
    shownAs('AUTHENTICATORS_NEEDED', await approve(service, waiting));
    const { fingerprint } = waiting;
    const { organizationId } = service.root;
    const body = activityBody(approveType, organizationId, { fingerprint }, service.now());
    const stamped = [passkeyStamp(body, phone)];
    const shown = await service.send('submit', 'approve_activity', body, stamped);
    shownAs('CONSENSUS_NEEDED', shown);
    const told = (await toldOf(service, endpointId)).filter((words) =>
      words.startsWith('UPDATE_O'),
    );
    assert.deepEqual(told, [
      'UPDATE_ORGANIZATION_NAME AUTHENTICATORS_NEEDED',
      'UPDATE_ORGANIZATION_NAME CONSENSUS_NEEDED',
    ]);
    shownAs('COMPLETED', await approve(service, waiting, by('Second')));
    const last = (await toldOf(service, endpointId)).at(-1);
    assert.equal(last, 'UPDATE_ORGANIZATION_NAME COMPLETED');
  });

  test('cause events for the parent and the child, each at its own endpoints', async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    const ofParent = await makeEndpoint(service);
    const ofChild = await makeEndpoint(service, {}, child);
    await rename(service, 'Parent');
    await rename(service, 'Child', child);
    await makeWallet(service, 'Wallet', child);
    assert.deepEqual(await toldOf(service, ofParent), [
      'UPDATE_ORGANIZATION_NAME COMPLETED',
      'UPDATE_ORGANIZATION_NAME COMPLETED',
      'CREATE_WALLET COMPLETED',
    ]);
    assert.deepEqual(await toldOf(service, ofChild), [
      'UPDATE_ORGANIZATION_NAME COMPLETED',
      'CREATE_WALLET COMPLETED',
    ]);
  });

  test('cause events that pass the filters', async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    const filtered = (filters: object) =>
      makeEndpoint(service, {
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: JSON.stringify(filters) }],
      });
    const wallets = await filtered({ resources: ['WALLET'] });
    const failures = await filtered({ statuses: ['ACTIVITY_STATUS_FAILED'] });
    const ofChild = await filtered({ organizationIds: [child.organizationId] });
    const none = await makeEndpoint(service, {
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES', isActive: false }],
    });
    await makeWallet(service, 'Wallet');
    await rename(service, 'Child', child);
    await rename(service, 'Refused', await addPlainUser(service));
    assert.deepEqual(await toldOf(service, wallets), ['CREATE_WALLET COMPLETED']);
    assert.deepEqual(await toldOf(service, failures), ['UPDATE_ORGANIZATION_NAME FAILED']);
    assert.deepEqual(await toldOf(service, ofChild), ['UPDATE_ORGANIZATION_NAME COMPLETED']);
    assert.deepEqual(await toldOf(service, none), []);
  });

  test('one event has one id at all its endpoints, different from all other events', async (t) => {
    const service = await start(t);
    const first = await makeEndpoint(service);
    const second = await makeEndpoint(service);
    for (const name of ['One', 'Two']) await rename(service, name);
    const idsOf = async (endpointId: string) =>
      (await eventsOf(service, endpointId)).slice(-2).map(({ eventId }) => eventId);
    assert.deepEqual(await idsOf(first), await idsOf(second));
    assert.equal(new Set(await idsOf(first)).size, 2);
  });
});

// ENUM-07
describe('the URL of FEATURE_NAME_WEBHOOK', () => {
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example/' } as const;
  const { name } = feature;
  const setFeature = (service: TestService) =>
    service.submit('set_organization_feature', 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature);

  async function eventsOfFeature(service: TestService) {
    const rootQuorum = { threshold: 1, userIds: [] };
    const head = { name: '', rootQuorum, features: [feature], createdAtMs: 0, updatedAtMs: 0 };
    const endpoint = featureEndpointOf({ id: service.root.organizationId, head });
    assert(endpoint !== undefined);
    return eventsOf(service, endpoint.id);
  }

  test('receives events of all activities, also of children, without a signature', async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    await rename(service, 'Before');
    await setFeature(service);
    await rename(service, 'Parent');
    await rename(service, 'Child', child);
    const told: unknown[] = [];
    for (const event of await eventsOfFeature(service)) {
      const { url, headers, told: activity } = await signed(service, event);
      assert.equal(url, feature.value);
      assert.deepEqual(headers, [{ name: 'Content-Type', value: 'application/json' }]);
      told.push([activity.type, activity.organizationId, activity.status]);
    }
    const done = 'ACTIVITY_STATUS_COMPLETED';
    const { organizationId } = service.root;
    assert.deepEqual(told, [
      ['ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', organizationId, done],
      [renameType, organizationId, done],
      [renameType, child.organizationId, done],
    ]);
  });

  test('receives nothing once the feature is removed', async (t) => {
    const service = await start(t);
    await setFeature(service);
    const type = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE';
    await service.submit('remove_organization_feature', type, { name });
    await rename(service, 'Untold');
    const events = await eventsOfFeature(service);
    assert.equal(events.length, 1);
    const [event] = events;
    assert(event !== undefined);
    assert.equal((await signed(service, event)).outcome, 'gone');
  });
});

// HOOK-04, DISC-11, DISC-12
test('without the compatible names only the specified headers exist', async (t) => {
  const service = await startTestService({ deployment: { compatibleWebhooks: false } });
  t.after(() => service.close());
  const endpointId = await makeEndpoint(service);
  const [event] = await eventsOf(service, endpointId);
  assert(event !== undefined);
  const { headers } = await signed(service, event);
  const foreign = headers.filter(({ name }) => !/^(X-Service-|Content-Type$)/.test(name));
  assert.deepEqual(foreign, []);
  assert.equal(headers.filter(({ name }) => name === 'X-Service-Signature').length, 1);
  const { body } = await service.enclave.webhookKeySet(undefined);
  const [key] = JSON.parse(textOfUtf8(body) ?? '').keys;
  const expected = ['kid', 'kty', 'crv', 'alg', 'use', 'x'];
  const own = ['service_signature_algorithm', 'service_signature_version'];
  assert.deepEqual(Object.keys(key), [...expected, ...own]);
});

describe('an endpoint of a parent that another node created', () => {
  test('receives events of a child on this node from the next commit on', async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    // This node has parent and child in memory.
    await rename(service, 'Parent');
    await rename(service, 'Child', child);
    const elsewhere = await startServiceOver({
      store: service.store.port,
      seed: 'elsewhere',
      clock: service.now,
    });
    service.advance(1);
    const parameters = {
      url: 'https://receiver.example/',
      name: 'Hook',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
    };
    const type = 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT';
    const body = activityBody(type, service.root.organizationId, parameters, service.now());
    const made = await elsewhere.send('submit', 'create_webhook_endpoint', body, service.root.key);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { endpointId } = made.body.activity.result.createWebhookEndpointResult;
    await makeWallet(service, 'Wallet', child);
    assert.deepEqual(await toldOf(service, endpointId), ['CREATE_WALLET COMPLETED']);
  });
});

describe('rows that differ from the sealed ones', () => {
  const alterations: Readonly<
    Record<string, (row: StoredDelivery, other: StoredDelivery) => object>
  > = {
    'a flipped bit': ({ body }) => ({ body: body.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) }),
    'a body that is cut': ({ body }) => ({ body: body.slice(0, -1) }),
    'an empty body': () => ({ body: new Uint8Array(0) }),
    'the body of another event': (_, { body }) => ({ body }),
    'the id of another event': (_, { eventId }) => ({ eventId }),
  };
  for (const [what, alter] of Object.entries(alterations)) {
    test(`${what}: nothing is signed, and the log reports it`, async (t) => {
      const log: string[] = [];
      const service = await start(t, log);
      const endpointId = await makeEndpoint(service);
      await rename(service, 'Told');
      const [first, second] = await eventsOf(service, endpointId);
      assert(first !== undefined && second !== undefined);
      const answer = await signed(service, { ...second, ...alter(second, first) });
      assert.deepEqual([answer.outcome, answer.headers, answer.told], ['refused', [], undefined]);
      assert.equal(log.filter((line) => line.includes('a stored record was refused')).length, 1);
      assert.equal((await signed(service, second)).outcome, 'signed');
    });
  }

  test('an event is signed only for the endpoint it was sealed for', async (t) => {
    const service = await start(t);
    const endpointId = await makeEndpoint(service);
    const other = await makeEndpoint(service, { url: 'https://other.example/' });
    const [event] = await eventsOf(service, endpointId);
    assert(event !== undefined);
    assert.equal((await signed(service, { ...event, endpointId: other })).outcome, 'refused');
  });

  test('an activity in the place of another is not signed', async (t) => {
    const service = await start(t);
    const endpointId = await makeEndpoint(service);
    const first = (await rename(service, 'One')).body.activity;
    const second = (await rename(service, 'Two')).body.activity;
    const { activity } = service.store.port;
    const event = (await eventsOf(service, endpointId)).at(-1);
    assert(event !== undefined);
    for (const answer of [
      async () => undefined,
      (request: { organizationId: string }) => activity({ ...request, id: first.id }),
    ]) {
      service.store.port.activity = answer;
      assert.equal((await signed(service, event)).outcome, 'refused');
    }
    service.store.port.activity = activity;
    assert.equal((await signed(service, event)).told.id, second.id);
  });

  test('the endpoint of another organization receives nothing', async (t) => {
    const service = await start(t);
    const child = await addChild(service);
    const endpointId = await makeEndpoint(service);
    const [event] = await eventsOf(service, endpointId);
    assert(event !== undefined);
    const moved = { ...event, organizationId: child.organizationId };
    assert.equal((await signed(service, moved)).outcome, 'gone');
  });
});
