// A real service, an unreliable receiver, and kills of the service: afterwards exactly the acknowledged
// events must have arrived, signed and numbered without gaps.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bytesOfHex, utf8 } from '../../src/core/base/bytes.ts';
import { type RunningService, startService, until } from '../e2e/service.ts';
import { createKeySet, type Received, refusalOf } from '../e2e/webhook_receiver.ts';
import { stampOf, type TestKey } from '../support/harness.ts';

export type TortureOptions = {
  readonly dataDirectory: string;
  readonly events: number;
  /** The number of kills of the service. */
  readonly kills: number;
  /** The number of outages of the receiver. */
  readonly outages: number;
  /** Returns a number from 0 to less than 1; the same numbers cause the same faults. */
  readonly random: () => number;
  readonly say?: (line: string) => void;
};

export type TortureResult = {
  readonly deliveries: number;
  readonly duplicates: number;
  readonly seconds: number;
};

const connections = 16;
const environment = {
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
  KEYWRIGHT_WEBHOOK_TIMEOUT_MS: '500',
  KEYWRIGHT_LOG_LEVEL: 'error',
};

/** Runs the torture; throws if an event is missing, altered or invented. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { dataDirectory, events, random, say = () => {} } = options;
  const startedMs = performance.now();
  let service = await startService({ dataDirectory, environment });
  // Fetched while the service is running, because its keys do not change.
  const keySet = createKeySet(service.baseUrl);
  await keySet.keyOf('');
  const receiver = await startFlappingReceiver(random, keySet);
  const key = keyOf(service);
  const sender = createSender(() => service, key);
  try {
    await sender.submit('create_webhook_endpoint', {
      url: receiver.url,
      name: 'Torture',
      subscriptions: [
        {
          eventType: 'ACTIVITY_UPDATES',
          filtersJson: JSON.stringify({ activityTypes: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'] }),
        },
      ],
    });
    const privateKeyId = await sender.makeKey();
    let signed = 0;
    const isDone = () => signed >= events;
    const kills = (async () => {
      for (let n = 1; n <= options.kills; n += 1) {
        while (signed < (events * n) / (options.kills + 1)) await pause(20);
        say(`kill ${n} after ${signed} signatures, ${receiver.received.length} deliveries`);
        await service.kill();
        service = await startService({ dataDirectory, environment });
      }
    })();
    const outages = (async () => {
      for (let n = 1; n <= options.outages; n += 1) {
        while (signed < (events * n) / (options.outages + 1)) await pause(20);
        say(`outage ${n} after ${signed} signatures, ${receiver.received.length} deliveries`);
        await receiver.goAway();
        await pause(500 + 3_000 * random());
        await receiver.comeBack();
      }
    })();
    const acknowledged = new Set<string>();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (!isDone()) {
          const number = signed;
          signed += 1;
          const payload = number.toString(16).padStart(64, '0');
          acknowledged.add(await sender.sign(privateKeyId, payload));
        }
      }),
    );
    await Promise.all([kills, outages]);
    say(`${acknowledged.size} signatures are acknowledged, ${receiver.received.length} deliveries`);
    receiver.calm();
    await until('everything has arrived', () => receiver.activityIds().size >= acknowledged.size, {
      // Enough time for deliveries that failed three times, depending on the number of events.
      timeoutMs: 120_000 + events * 20,
    });
    await receiver.examined();
    check(receiver.received, acknowledged);
    const deliveries = receiver.received.length;
    const duplicates = deliveries - acknowledged.size;
    return { deliveries, duplicates, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    await service.stop();
    receiver.close();
  }
}

/** The stored part of a delivery, which is small enough for a hundred thousand of them. */
type Kept = {
  readonly eventId: string;
  readonly activityId: string;
  readonly sequence: number;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** The reason why the delivery is not authentic. */
  readonly refusal: string | undefined;
};

function check(received: readonly Kept[], acknowledged: ReadonlySet<string>): void {
  const events = new Map<string, Kept>();
  for (const delivery of received) {
    assert.equal(delivery.refusal, undefined, 'every delivery verifies');
    const known = events.get(delivery.eventId);
    if (known !== undefined) assert.deepEqual(delivery, known, 'an event is the same each time');
    events.set(delivery.eventId, delivery);
  }
  const all = [...events.values()];
  assert.deepEqual(
    all.map(({ sequence }) => sequence).sort((a, b) => a - b),
    Array.from({ length: all.length }, (_, n) => n + 1),
    'numbers have no gap',
  );
  const told = all.map(({ activityId }) => activityId);
  assert.deepEqual(new Set(told), acknowledged, 'what is told was done, and what was done is told');
  assert.equal(told.length, acknowledged.size, 'each activity is one event');
}

async function keptOf(delivery: Received, keySet: KeySet): Promise<Kept> {
  const { headers, body, atMs } = delivery;
  return {
    eventId: String(headers['x-service-event-id']),
    activityId: JSON.parse(body.toString()).id,
    sequence: Number(headers['x-service-sequence']),
    digest: createHash('sha256').update(body).digest('hex'),
    refusal: await refusalOf(delivery, keySet, atMs),
  };
}

type KeySet = ReturnType<typeof createKeySet>;

/** Starts a receiver that handles some deliveries badly. Its port stays the same after outages. */
async function startFlappingReceiver(random: () => number, keySet: KeySet) {
  const received: Kept[] = [];
  const ids = new Set<string>();
  let underWay = 0;
  let isCalm = false;
  let server = await listen(0);
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const { port } = address;

  async function listen(wanted: number): Promise<Server> {
    const made = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const chance = isCalm ? 1 : random();
      // Deliveries may be taken without an acknowledgement, refused, or left unanswered.
      const isTaken = chance > 0.01;
      const body = Buffer.concat(chunks);
      if (isTaken) {
        underWay += 1;
        const kept = await keptOf({ headers: request.headers, body, atMs: Date.now() }, keySet);
        received.push(kept);
        ids.add(kept.activityId);
        underWay -= 1;
      }
      if (chance < 0.005) request.socket.destroy();
      else if (chance < 0.01) response.writeHead(503).end();
      else if (chance < 0.012) request.socket.destroy();
      else if (chance < 0.013) await pause(700).then(() => response.end());
      else response.end();
    });
    made.listen(wanted, '127.0.0.1');
    await once(made, 'listening');
    return made;
  }

  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    activityIds: () => ids,
    /** All deliveries that arrived have been examined. */
    examined: () => until('all is examined', () => underWay === 0),
    calm: () => {
      isCalm = true;
    },
    goAway: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    comeBack: async () => {
      server = await listen(port);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends the same body until it is answered; it takes effect once. */
function createSender(service: () => RunningService, key: TestKey) {
  let lastMs = 0;
  async function submit(operation: string, parameters: object, suffix = ''): Promise<Activity> {
    lastMs = Math.max(lastMs + 1, Date.now());
    const { organizationId } = service().credentials;
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${suffix}`;
    const envelope = { type, timestampMs: String(lastMs), organizationId, parameters };
    const body = JSON.stringify(envelope);
    const { value } = stampOf(utf8(body), key);
    for (;;) {
      try {
        const answer = await fetch(`${service().baseUrl}/public/v1/submit/${operation}`, {
          method: 'POST',
          headers: { 'X-Stamp': value },
          body,
        });
        const said = await answer.json();
        if (answer.ok) return said.activity;
        assert.ok(answer.status >= 500 || answer.status === 409, JSON.stringify(said));
      } catch (error) {
        // The service was killed. The next answer shows the outcome of the request.
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      }
      await pause(50);
    }
  }
  return {
    submit,
    makeKey: async (): Promise<string> => {
      const { result } = await submit(
        'create_private_keys',
        {
          privateKeys: [
            {
              privateKeyName: 'Torture',
              curve: 'CURVE_ED25519',
              addressFormats: [],
              privateKeyTags: [],
            },
          ],
        },
        '_V2',
      );
      return result.createPrivateKeysResultV2.privateKeys[0].privateKeyId;
    },
    sign: async (signWith: string, payload: string): Promise<string> => {
      const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';
      const hashFunction = 'HASH_FUNCTION_NOT_APPLICABLE';
      const parameters = { signWith, payload, encoding, hashFunction };
      return (await submit('sign_raw_payload', parameters, '_V2')).id;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
type Activity = any;

function keyOf({ credentials }: RunningService): TestKey {
  const privateKey = bytesOfHex(credentials.apiPrivateKey);
  assert(privateKey !== undefined);
  return { privateKey, publicKey: credentials.apiPublicKey };
}
