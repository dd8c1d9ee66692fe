// Webhooks of two nodes on one PostgreSQL database. Only one node delivers each event, and the other delivers
// the remaining events of a killed node.

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
    // The lease of a killed node ends after the maximum time of an attempt and a margin.
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

  /** Returns the first events of an endpoint in the list of the service. */
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
   * Requires that a receiver got all numbers, in order except for failed attempts. Returns the number of
   * attempts.
   */
  async function assertOrder(deliveries: readonly Received[], endpointId: string): Promise<number> {
    const sequences = deliveries.map(sequenceOf);
    assert.deepEqual(
      sequences.toSorted((a, b) => a - b),
      countTo(deliveries.length),
    );
    const once = new Set<number>();
    let attemptCount = 0;
    for (const { sequence, attempts } of await listed(endpointId, deliveries.length)) {
      // The outcome of the last attempts may not be stored yet.
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

  /** Signs repeatedly. Returns the IDs of the acknowledged activities. */
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
      const delivered = new Set(received.map(activityIdOf));
      return ids.every((id) => delivered.has(id));
    });

  test('one of the nodes delivers each event once, in order', async () => {
    const ids = (await Promise.all([sign(first, 40), sign(second, 40)])).flat();
    assert.equal(ids.length, 80);
    await until('all has arrived', arrived(ids));
    for (const [i, { received }] of receivers.entries()) {
      assert.deepEqual(new Set(received.map(activityIdOf)), new Set(ids));
      for (const delivery of received) assert.equal(await refusalOf(delivery, keySet), undefined);
      const deliveries = firstOfEach(received);
      assert.equal(deliveries.length, ids.length);
      const attempts = await assertOrder(deliveries, endpointIds[i] ?? '');
      assert.ok(received.length <= attempts, `${received.length} of ${attempts} attempts`);
    }
  });

  test('after a kill during deliveries, the other node continues, and nothing is lost or reordered', async () => {
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
      // All acknowledged changes are delivered, and those that a killed node committed without an answer.
      const deliveries = firstOfEach(received);
      await assertOrder(deliveries, endpointIds[i] ?? '');
      assert.ok(new Set(deliveries.map(activityIdOf)).size === deliveries.length);
    }
  });
}

/** Removes repeated deliveries, which must be equal. */
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
