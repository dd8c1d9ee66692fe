import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { retryDelayMs } from '../../../src/gateway/webhooks/retry_schedule.ts';
import {
  makeEndpoint,
  shownDeliveries,
  shownEndpoints,
} from '../../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { rename } from '../../votes/voting.ts';
import {
  type Arrived,
  createWorld,
  dayMs,
  defaultLimits,
  hourMs,
  minuteMs,
  secondMs,
} from './world.ts';

const renamesOnly = {
  filtersJson: '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}',
};
const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', ...renamesOnly }];

async function startWorld(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  return { service, ...createWorld(service) };
}

const sequences = (arrived: readonly Arrived[]) => arrived.map(({ sequence }) => sequence);
const header = ({ request }: Arrived, name: string) => request.headers?.[name] ?? '';

type Shown = { readonly state: string; readonly attempts: readonly Record<string, unknown>[] };
async function states(...of: Parameters<typeof shownDeliveries>): Promise<string[]> {
  const { deliveries } = await shownDeliveries(...of);
  return deliveries.map(({ state }: Shown) => state);
}

describe('deliveries', () => {
  test('are sent in order, each once, signed', async (t) => {
    const { service, arrived, start, quiet } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    for (let n = 0; n < 30; n += 1) await rename(service, `Name ${n}`);
    const worker = start();
    await quiet();
    await worker.stop();
    assert.deepEqual(
      sequences(arrived),
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
    assert.deepEqual(new Set(await states(service, endpointId)), new Set(['delivered']));
    const { body } = await service.enclave.webhookKeySet(undefined);
    const [key] = JSON.parse(textOfUtf8(body) ?? '').keys;
    const publicKey = createPublicKey({
      key: Buffer.from(key.x, 'base64url'),
      format: 'raw-public',
      asymmetricKeyType: 'ed25519',
    });
    for (const each of arrived) {
      const [kid, timestamp, eventId] = [
        'X-Service-Signature-Key-Id',
        'X-Service-Timestamp',
        'X-Service-Event-Id',
      ].map((name) => header(each, name));
      const message = Buffer.concat([
        Buffer.from(`v1.ed25519.${kid}.${timestamp}.${eventId}.`),
        each.request.body ?? Buffer.alloc(0),
      ]);
      const signature = Buffer.from(header(each, 'X-Service-Signature'), 'hex');
      assert.ok(verify(null, message, publicKey, signature));
      assert.equal(kid, key.kid); // DISC-05
    }
  });

  // HOOK-05, HOOK-10
  test('are retried with the same event id, a new time and a new signature', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    await rename(service, 'Told');
    receive(() => (arrived.length < 4 ? 503 : 204));
    const worker = start({ limits: { pollMs: secondMs } });
    await pass(2 * minuteMs);
    await worker.stop();
    assert.equal(arrived.length, 4);
    assert.equal(new Set(arrived.map(({ eventId }) => eventId)).size, 1);
    for (const name of ['X-Service-Timestamp', 'X-Service-Signature']) {
      assert.equal(new Set(arrived.map((each) => header(each, name))).size, 4, name);
    }
    for (const each of arrived)
      assert.equal(header(each, 'X-Service-Timestamp'), String(each.atMs));
    const bodies = new Set(
      arrived.map(({ request }) => textOfUtf8(request.body ?? new Uint8Array(0))),
    );
    assert.equal(bodies.size, 1);
    const [delivery] = (await shownDeliveries(service, endpointId)).deliveries;
    assert.equal(delivery.state, 'delivered');
    assert.deepEqual(
      delivery.attempts.map(({ attempt, outcome, status }: Record<string, unknown>) => [
        attempt,
        outcome,
        status,
      ]),
      [
        [1, 'server_error', 503],
        [2, 'server_error', 503],
        [3, 'server_error', 503],
        [4, 'delivered', 204],
      ],
    );
  });

  for (const status of [301, 400, 404, 410, 429]) {
    test(`are dropped after ${status}, and the next one is sent`, async (t) => {
      const { service, arrived, start, receive, pass } = await startWorld(t);
      const endpointId = await makeEndpoint(service, { subscriptions });
      for (const name of ['One', 'Two']) await rename(service, name);
      receive(({ sequence }) => (sequence === 1 ? status : 200));
      const worker = start();
      await pass(dayMs);
      await worker.stop();
      assert.deepEqual(sequences(arrived), [1, 2]);
      assert.deepEqual(await states(service, endpointId), ['failed', 'delivered']);
    });
  }

  test('wait for the time of Retry-After, if a setting honours it', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    for (const name of ['One', 'Two']) await rename(service, name);
    const busy = { status: 429, headers: { 'retry-after': '600' }, body: new Uint8Array(0) };
    receive(() => (arrived.length === 1 ? busy : 200));
    const worker = start({ limits: { retriesTooManyRequests: true, pollMs: secondMs } });
    await pass(hourMs);
    await worker.stop();
    assert.deepEqual(sequences(arrived), [1, 1, 2]);
    const [first, second] = arrived;
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(second.atMs - first.atMs >= 600 * secondMs, 'nothing is sent before');
    assert.ok(second.atMs - first.atMs <= 602 * secondMs);
    assert.deepEqual(await states(service, endpointId), ['delivered', 'delivered']);
  });

  test('to one endpoint are sent one at a time', async (t) => {
    const { service, arrived, start, receive, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions });
    for (const name of ['One', 'Two']) await rename(service, name);
    const { promise, resolve } = Promise.withResolvers<number>();
    receive(() => promise);
    const worker = start();
    await quiet();
    assert.deepEqual(sequences(arrived), [1]);
    resolve(200);
    await quiet();
    assert.deepEqual(sequences(arrived), [1, 2]);
    await worker.stop();
  });

  test('that run when the worker stops are finished', async (t) => {
    const { service, arrived, start, receive, quiet } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    for (const name of ['One', 'Two']) await rename(service, name);
    const { promise, resolve } = Promise.withResolvers<number>();
    receive(() => promise);
    const worker = start();
    await quiet();
    let hasStopped = false;
    const stopped = worker.stop().then(() => {
      hasStopped = true;
    });
    await quiet();
    assert.equal(hasStopped, false);
    resolve(200);
    await stopped;
    assert.deepEqual(sequences(arrived), [1]);
    assert.deepEqual(await states(service, endpointId), ['delivered', 'waiting']);
  });
});

describe('an endpoint that is down', () => {
  test('for 72 hours receives everything afterwards, in order', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    const outages = ['network', 'timeout', 'name_not_found', 503] as const;
    receive(() => outages[arrived.length % outages.length] ?? 503);
    const worker = start();
    for (let hour = 0; hour < 72; hour += 1) {
      await rename(service, `Hour ${hour}`);
      worker.wake();
      await pass(hourMs);
    }
    const tried = arrived.length;
    assert.ok(tried > 72 && tried < 72 * 25, `${tried} attempts in 72 hours`);
    receive(() => 200);
    await pass(10 * minuteMs);
    await worker.stop();
    const delivered = sequences(arrived.slice(tried));
    // The one that reached the endpoint first, then all others in order.
    const [probe, ...others] = delivered;
    assert.deepEqual(
      [...delivered].sort((a, b) => a - b),
      Array.from({ length: 72 }, (_, n) => n + 1),
    );
    assert.deepEqual(
      others,
      others.toSorted((a, b) => a - b),
      `after ${probe}`,
    );
    const { deliveries } = await shownDeliveries(service, endpointId);
    assert.ok(deliveries.every(({ state }: Shown) => state === 'delivered'));
  });

  test('does not delay another endpoint', async (t) => {
    const { service, arrived, start, receive, pass, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions, url: 'https://dead.example/' });
    await makeEndpoint(service, { subscriptions, url: 'https://alive.example/' });
    const { promise, resolve } = Promise.withResolvers<number>();
    receive(({ url }) => (url.includes('dead') ? promise : 200));
    const worker = start();
    await quiet();
    for (let n = 0; n < 20; n += 1) await rename(service, `Name ${n}`);
    worker.wake();
    await pass(0);
    const alive = arrived.filter(({ url }) => url.includes('alive'));
    assert.equal(alive.length, 20);
    assert.ok(alive.every(({ atMs }) => atMs === service.now()));
    resolve(503);
    await worker.stop();
  });

  test('and as many as there are slots: hanging ones leave them to others', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const { concurrency } = defaultLimits;
    for (let n = 0; n < concurrency; n += 1) {
      await makeEndpoint(service, { subscriptions, url: `https://dead${n}.example/` });
    }
    await makeEndpoint(service, { subscriptions, url: 'https://alive.example/' });
    const hangs = Promise.withResolvers<number>();
    receive(({ url }) => (url.includes('dead') ? hangs.promise : 200));
    await rename(service, 'Told');
    const worker = start({ limits: { pollMs: secondMs } });
    await pass(3 * secondMs);
    const urls = new Set(arrived.map(({ url }) => url));
    assert.equal(urls.size, concurrency + 1);
    hangs.resolve(503);
    await worker.stop();
  });

  test('shares the slots with other failing endpoints', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const { concurrency } = defaultLimits;
    for (let n = 0; n < concurrency; n += 1) {
      await makeEndpoint(service, { subscriptions, url: `https://dead${n}.example/` });
    }
    await rename(service, 'Told');
    receive(() => 503);
    const worker = start({ limits: { pollMs: secondMs } });
    await pass(secondMs);
    const hangs = Promise.withResolvers<number>();
    receive(() => hangs.promise);
    const before = arrived.length;
    await pass(5 * minuteMs);
    // One of four slots.
    assert.equal(arrived.length, before + 1);
    hangs.resolve(503);
    await worker.stop();
  });

  test('becomes inactive after days, with an event for the others', async (t) => {
    const { service, arrived, lines, start, receive, pass } = await startWorld(t);
    const dead = await makeEndpoint(service, { subscriptions, url: 'https://dead.example/' });
    const alive = await makeEndpoint(service, {
      url: 'https://alive.example/',
      subscriptions: [{ eventType: 'WEBHOOK_ENDPOINT_UPDATES' }],
    });
    receive(({ url }) => (url.includes('dead') ? 500 : 200));
    const failingSince = service.now();
    await rename(service, 'Told');
    const worker = start();
    await pass(5 * dayMs - hourMs);
    assert.ok((await shownEndpoints(service)).every(({ isActive }) => isActive === true));
    await pass(12 * hourMs);
    const endpoints = await shownEndpoints(service);
    assert.deepEqual(
      endpoints.map(({ endpointId, isActive }) => [endpointId, isActive]),
      [
        [dead, false],
        [alive, true],
      ],
    );
    const told = arrived.filter(({ url }) => url.includes('alive'));
    assert.equal(told.length, 1);
    const [event] = told;
    assert(event !== undefined);
    assert.equal(header(event, 'X-Service-Event-Type'), 'WEBHOOK_ENDPOINT_UPDATES');
    const body = JSON.parse(textOfUtf8(event.request.body ?? new Uint8Array(0)) ?? '');
    assert.equal(body.type, 'webhook:disabled');
    assert.equal(body.msg.endpointId, dead);
    assert.ok(Date.parse(body.msg.failingSince) - failingSince < minuteMs);
    assert.deepEqual(lines, ['warn: deactivated a webhook endpoint after long failures']);

    // Nothing is sent, and nothing lost: after its reactivation the endpoint receives waiting events.
    const before = arrived.length;
    await pass(hourMs);
    assert.equal(arrived.length, before);
    receive(() => 200);
    await service.submit('update_webhook_endpoint', 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', {
      endpointId: dead,
      isActive: true,
    });
    await pass(7 * hourMs);
    await worker.stop();
    assert.deepEqual(await states(service, dead), ['delivered']);
  });

  test('that a feature names is tried while the feature exists', async (t) => {
    const { service, arrived, lines, start, receive, pass } = await startWorld(t);
    const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example/' };
    await service.submit(
      'set_organization_feature',
      'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
      feature,
    );
    receive(() => 500);
    const worker = start();
    await pass(6 * dayMs);
    receive(() => 200);
    const tried = arrived.length;
    await pass(7 * hourMs);
    await worker.stop();
    assert.equal(arrived.length, tried + 1);
    assert.deepEqual(Object.keys(arrived.at(-1)?.request.headers ?? {}), ['Content-Type']);
    assert.deepEqual(lines, []);
  });

  test('stays active while it answers at times', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    await makeEndpoint(service, { subscriptions });
    receive(() => (arrived.length % 20 === 0 ? 200 : 500));
    const worker = start();
    for (let day = 0; day < 8; day += 1) {
      for (let n = 0; n < 5; n += 1) await rename(service, `Day ${day} ${n}`);
      await pass(dayMs);
    }
    await worker.stop();
    assert.ok((await shownEndpoints(service)).every(({ isActive }) => isActive === true));
  });

  test('for longer than the retries loses deliveries, and may request them again', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    await rename(service, 'Told');
    receive(() => 500);
    const worker = start({ limits: { disableAfterMs: 0, retryMs: 2 * dayMs } });
    await pass(4 * dayMs);
    assert.deepEqual(await states(service, endpointId), ['failed']);
    const tried = arrived.length;
    receive(() => 200);
    await service.submit('redeliver_webhook_events', 'ACTIVITY_TYPE_REDELIVER_WEBHOOK_EVENTS', {
      endpointId,
      firstSequence: '1',
      lastSequence: '1',
    });
    await pass(minuteMs);
    await worker.stop();
    assert.deepEqual(await states(service, endpointId), ['delivered']);
    assert.equal(arrived.length, tried + 1);
    assert.equal(new Set(arrived.map(({ eventId }) => eventId)).size, 1);
  });
});

describe('the end of retries', () => {
  /** Returns the attempts at one event, in milliseconds after it, while all fail. */
  async function attemptsWithin(t: TestContext, retryMs: number) {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    receive(() => 500);
    await rename(service, 'Told');
    const since = service.now();
    const worker = start({ limits: { disableAfterMs: 0, retryMs, pollMs: secondMs } });
    await pass(hourMs);
    const after = arrived.map(({ atMs }) => atMs - since);
    const [state] = await states(service, endpointId);
    // The attempts do not start again with the next event.
    receive(() => 200);
    await rename(service, 'The next one');
    await pass(minuteMs);
    await worker.stop();
    if (state === 'failed') assert.deepEqual(sequences(arrived).slice(after.length), [2]);
    return { after, state };
  }

  test('is where the next attempt would start later than they last, to the millisecond', async (t) => {
    const endless = await attemptsWithin(t, 7 * dayMs);
    assert.equal(endless.state, 'waiting');
    for (const made of [2, 4, 6]) {
      // The last attempt is due once its delay has passed, though it may be sent a little later.
      const dueMs = (endless.after[made - 2] ?? 0) + retryDelayMs(made - 1, 0.5);
      for (const [retryMs, count] of [
        [dueMs, made],
        [dueMs - 1, made - 1],
      ] as const) {
        const { after, state } = await attemptsWithin(t, retryMs);
        assert.deepEqual(after, endless.after.slice(0, count));
        assert.equal(state, 'failed');
      }
    }
  });
});

describe('one refused event', () => {
  test('does not delay later ones', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    for (let n = 0; n < 10; n += 1) await rename(service, `Name ${n}`);
    receive(({ sequence }) => (sequence === 3 ? 500 : 200));
    const worker = start({ limits: { pollMs: secondMs } });
    await pass(minuteMs);
    const expected = Array.from({ length: 10 }, (_, n) => (n === 2 ? 'waiting' : 'delivered'));
    assert.deepEqual(await states(service, endpointId), expected);
    receive(() => 200);
    await pass(hourMs);
    await worker.stop();
    assert.equal(sequences(arrived).at(-1), 3);
    assert.deepEqual(new Set(await states(service, endpointId)), new Set(['delivered']));
  });
});

describe('inactive and deleted endpoints', () => {
  test('an inactive endpoint keeps waiting events, and receives no new events', async (t) => {
    const { service, arrived, start, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    await rename(service, 'Before');
    const update = (isActive: boolean) =>
      service.submit('update_webhook_endpoint', 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', {
        endpointId,
        isActive,
      });
    await update(false);
    await rename(service, 'Meanwhile');
    const worker = start();
    await pass(hourMs);
    assert.deepEqual(sequences(arrived), []);
    await update(true);
    await pass(2 * minuteMs);
    await worker.stop();
    assert.deepEqual(sequences(arrived), [1]);
  });

  test('waiting events of a deleted endpoint are dropped', async (t) => {
    const { service, arrived, start, pass } = await startWorld(t);
    const endpointId = await makeEndpoint(service, { subscriptions });
    for (const name of ['One', 'Two']) await rename(service, name);
    await service.submit('delete_webhook_endpoint', 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', {
      endpointId,
    });
    const worker = start();
    await pass(minuteMs);
    await worker.stop();
    assert.deepEqual(arrived, []);
    const page = { endpointId, after: 0, limit: 10, eventIds: [] };
    const { deliveries } = await service.store.port.deliveryPage(page);
    assert.deepEqual(
      deliveries.map(({ state }) => state),
      ['dropped', 'dropped'],
    );
  });
});

describe('several workers', () => {
  test('on one database deliver each event once', async (t) => {
    const { service, arrived, start, receive, pass } = await startWorld(t);
    const urls = Array.from({ length: 8 }, (_, n) => `https://receiver${n}.example/`);
    for (const url of urls) await makeEndpoint(service, { subscriptions, url });
    receive(() => 200);
    const workers = ['first', 'second', 'third'].map((owner) => start({ owner }));
    for (let n = 0; n < 20; n += 1) {
      await rename(service, `Name ${n}`);
      for (const worker of workers) worker.wake();
    }
    await pass(minuteMs);
    for (const worker of workers) await worker.stop();
    for (const url of urls) {
      const own = arrived.filter((each) => each.url === url);
      assert.deepEqual(
        sequences(own),
        Array.from({ length: 20 }, (_, n) => n + 1),
        url,
      );
    }
  });

  test('a worker takes over the deliveries of a dead one after its lease', async (t) => {
    const { service, arrived, start, receive, pass, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions });
    await rename(service, 'Told');
    receive(() => new Promise(() => undefined));
    start({ owner: 'dead' });
    await quiet();
    assert.equal(arrived.length, 1);
    receive(() => 200);
    const worker = start({ owner: 'alive', limits: { pollMs: secondMs } });
    await pass(14 * secondMs);
    assert.equal(arrived.length, 1);
    await pass(3 * secondMs);
    assert.equal(arrived.length, 2);
    assert.equal(arrived[0]?.eventId, arrived[1]?.eventId);
    await worker.stop();
  });

  test('accepted deliveries that were not yet stored are sent again, in order, with the same ids', async (t) => {
    const { service, arrived, start, receive, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions });
    for (let n = 0; n < 60; n += 1) await rename(service, `Name ${n}`);
    receive(({ sequence }) => (sequence === 30 ? new Promise(() => undefined) : 200));
    // The worker never gets an answer, and the clock is stopped, so nothing is stored.
    start();
    await quiet();
    receive(() => 200);
    const worker = start();
    await quiet();
    await worker.stop();
    const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
    assert.deepEqual(sequences(arrived), [...upTo(30), ...upTo(60)]);
    assert.equal(new Set(arrived.map(({ eventId }) => eventId)).size, 60);
  });

  test('a worker that restarts under its name continues at once', async (t) => {
    const { service, arrived, start, receive, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions });
    await rename(service, 'Told');
    receive(() => new Promise(() => undefined));
    start();
    await quiet();
    receive(() => 200);
    const worker = start();
    await quiet();
    assert.deepEqual(sequences(arrived), [1, 1]);
    await worker.stop();
  });

  test('an endpoint with many deliveries leaves slots for others', async (t) => {
    const { service, arrived, start, quiet } = await startWorld(t);
    await makeEndpoint(service, { subscriptions, url: 'https://much.example/' });
    for (let n = 0; n < 250; n += 1) await rename(service, `Name ${n}`);
    await makeEndpoint(service, { subscriptions, url: 'https://little.example/' });
    await rename(service, 'Last');
    service.advance(secondMs);
    const worker = start({ limits: { concurrency: 1 } });
    await quiet();
    await worker.stop();
    const little = arrived.findIndex(({ url }) => url.includes('little'));
    assert.ok(little > 0 && little <= 100, `it had its turn after ${little}`);
    assert.equal(arrived.length, 252);
  });
});

test('old deliveries that ended are deleted, and the newest numbers are not', async (t) => {
  const { service, start, pass } = await startWorld(t);
  const endpointId = await makeEndpoint(service, { subscriptions });
  const worker = start({ limits: { pollMs: hourMs } });
  for (let n = 0; n < 5; n += 1) {
    await rename(service, `Name ${n}`);
    worker.wake();
    await pass(10 * dayMs);
  }
  await worker.stop();
  const { lastSequence, deliveries } = await shownDeliveries(service, endpointId);
  assert.equal(lastSequence, '5');
  assert.deepEqual(
    deliveries.map(({ sequence }: { sequence: string }) => sequence),
    ['3', '4', '5'],
  );
});
