// Webhooks of two nodes on one PostgreSQL database: what one of them delivers the other does not, and
// what a killed one leaves behind the other delivers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { accountParameters, createAddress, httpClient, serverClient, stamper } from './clients.ts';
import { type RunningService, until } from './service.ts';
import { signatureOf, startNodes } from './two_nodes.ts';
import { createKeySet, type Received, refusalOf, startReceiver } from './webhook_receiver.ts';

const signaturesOnly = JSON.stringify({ activityTypes: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'] });
const endpointCount = 3;

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
  const [first, second] = await startNodes(await newDatabase(server.url), undefined, {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    // A killed node is waited for as long as one attempt may take, and a little more.
    KEYWRIGHT_WEBHOOK_TIMEOUT_MS: '2000',
  });
  after(() => second.stop());
  const { organizationId } = second.credentials;
  const address = await createAddress(first, 'Told', accountParameters.ethereum);
  const keySet = createKeySet(second.baseUrl);
  const receivers = await Promise.all(Array.from({ length: endpointCount }, () => startReceiver()));
  after(() => {
    for (const receiver of receivers) receiver.close();
  });
  const endpointIds: string[] = [];
  for (const { url } of receivers) {
    const { endpointId } = await serverClient(first).createWebhookEndpoint({
      url,
      name: 'Both nodes',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: signaturesOnly }],
    });
    endpointIds.push(endpointId);
  }

  /** The first events of an endpoint, as the service lists them. */
  async function listed(endpointId: string, count: number): Promise<readonly Listed[]> {
    const all: Listed[] = [];
    while (all.length < count) {
      const page = { organizationId, endpointId, limit: '100', afterSequence: String(all.length) };
      const body = JSON.stringify(page);
      const { stampHeaderName, stampHeaderValue } = await stamper(second.credentials).stamp(body);
      const answer = await fetch(`${second.baseUrl}/public/v1/query/list_webhook_deliveries`, {
        method: 'POST',
        headers: { [stampHeaderName]: stampHeaderValue },
        body,
      });
      const { deliveries } = (await answer.json()) as { deliveries?: Listed[] };
      assert.ok(deliveries !== undefined && deliveries.length > 0, `status ${answer.status}`);
      all.push(...deliveries);
    }
    return all;
  }

  /**
   * Checks what one receiver has got: all numbers, and in their order but for what failed once. Gives
   * how many attempts were made.
   */
  async function assertOrder(told: readonly Received[], endpointId: string): Promise<number> {
    const sequences = told.map(sequenceOf);
    assert.deepEqual(
      sequences.toSorted((a, b) => a - b),
      countTo(told.length),
    );
    const once = new Set<number>();
    let attemptCount = 0;
    for (const { sequence, attempts } of await listed(endpointId, told.length)) {
      // The outcome of the last ones may not be kept yet.
      attemptCount += Math.max(1, attempts.length);
      if (attempts.length <= 1) once.add(Number(sequence));
    }
    const undisturbed = sequences.filter((sequence) => once.has(sequence));
    assert.deepEqual(
      undisturbed,
      undisturbed.toSorted((a, b) => a - b),
    );
    return attemptCount;
  }

  /** Signs so many times and gives the ids of what was acknowledged. */
  async function sign(node: RunningService, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const signature = signatureOf({ organizationId, address });
      try {
        ids.push((await httpClient(node).signRawPayload(signature)).activity.id);
      } catch (error) {
        // The node was killed.
        if (node !== first) throw error;
        return ids;
      }
    }
    return ids;
  }

  const arrived = (ids: readonly string[]) => () =>
    receivers.every(({ received }) => {
      const told = new Set(received.map(activityIdOf));
      return ids.every((id) => told.has(id));
    });

  test('each event goes out once, from one of them, in order', async () => {
    const ids = (await Promise.all([sign(first, 40), sign(second, 40)])).flat();
    assert.equal(ids.length, 80);
    await until('all has arrived', arrived(ids));
    for (const [i, { received }] of receivers.entries()) {
      assert.deepEqual(new Set(received.map(activityIdOf)), new Set(ids));
      for (const delivery of received) assert.equal(await refusalOf(delivery, keySet), undefined);
      const told = firstOfEach(received);
      assert.equal(told.length, ids.length);
      const attempts = await assertOrder(told, endpointIds[i] ?? '');
      assert.ok(received.length <= attempts, `${received.length} of ${attempts} attempts`);
    }
  });

  test('one is killed while it delivers: the other goes on, nothing is lost, the order stays', async () => {
    const before = receivers.map(({ received }) => received.length);
    const halfway = () =>
      receivers.every(({ received }, i) => received.length > (before[i] ?? 0) + 20);
    const signing = [sign(first, 10_000), sign(first, 10_000), sign(second, 60), sign(second, 60)];
    await until('much has arrived', halfway);
    await first.kill();
    const ids = (await Promise.all(signing)).flat();
    await until('all has arrived', arrived(ids), { timeoutMs: 60_000 });
    for (const [i, { received }] of receivers.entries()) {
      for (const delivery of received) {
        assert.equal(await refusalOf(delivery, keySet, delivery.atMs), undefined);
      }
      // Acknowledged changes are told; so are those that a killed node committed without saying so.
      const told = firstOfEach(received);
      await assertOrder(told, endpointIds[i] ?? '');
      assert.ok(new Set(told.map(activityIdOf)).size === told.length);
    }
  });
}

/** Without repetitions, which must say the same. */
function firstOfEach(received: readonly Received[]): readonly Received[] {
  const events = new Map<string, Received>();
  for (const delivery of received) {
    const eventId = String(delivery.headers['x-service-event-id']);
    const known = events.get(eventId);
    if (known === undefined) events.set(eventId, delivery);
    else assert.equal(known.body.toString(), delivery.body.toString());
  }
  return [...events.values()];
}

type Listed = { readonly sequence: string; readonly attempts: readonly unknown[] };

const countTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const sequenceOf = ({ headers }: Received) => Number(headers['x-service-sequence']);
const activityIdOf = ({ body }: Received): string => JSON.parse(body.toString()).id;
