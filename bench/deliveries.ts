// Measures how fast events travel from their commit to a receiver on the same machine: the rate, the delay at
// a fixed rate, and the cost of endpoints that never answer.

import type { ServerResponse } from 'node:http';
import { startLoopbackServer } from '../test/support/loopback_server.ts';
import { signRequests } from './client.ts';
import { make, median } from './compare.ts';
import { load, openLoop } from './load.ts';
import { type MadeOrganization, openPopulation } from './populate.ts';
import {
  type BenchService,
  newDataDirectory,
  removeDataDirectory,
  startService,
} from './service.ts';
import { subscribe } from './webhooks.ts';

/** The maximum number of endpoints of one organization. */
const endpointsOfOne = 10;
const backlog = 4_000;
const rounds = 3;
const perSecond = 500;
const seconds = 8;
const manyOrganizations = 100;
/** Longer than it takes to write a backlog. */
const longTimeout = { KEYWRIGHT_WEBHOOK_TIMEOUT_MS: '60000' };
const shortTimeout = { KEYWRIGHT_WEBHOOK_TIMEOUT_MS: '5000' };

/** Measures and prints; takes a minute and a half on an idle machine. */
export async function measureDeliveries(print: (line: string) => void): Promise<void> {
  print('\nfrom the commit to a receiver on this machine');
  await measureBacklogs(print);
  await measureDead(print);
}

/** Measures deliveries per second without other load, and their delay at a fixed rate. */
async function measureBacklogs(print: (line: string) => void): Promise<void> {
  const receiver = await startCountingReceiver();
  const { bench, organizations, stop } = await startWith(1 + 50 / endpointsOfOne, longTimeout);
  try {
    const [one, ...five] = organizations;
    if (one === undefined) return;
    await subscribe(bench.port, one.signer, receiver.url);
    for (const { signer } of five) {
      for (let n = 0; n < endpointsOfOne; n += 1) await subscribe(bench.port, signer, receiver.url);
    }
    await receiver.settled();
    const sides = [
      { what: ' 1 endpoint ', made: [one], activities: backlog },
      { what: '50 endpoints', made: five, activities: (2 * backlog) / endpointsOfOne },
    ];
    for (const { what, made, activities } of sides) {
      const rates: number[] = [];
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const rate = await backlogRate(bench, receiver, made, activities);
        if (round > 0) rates.push(rate);
      }
      print(`  ${what}  ${median(rates).toFixed(0)} deliveries/s of what waits`);
    }
    await receiver.settled();
    receiver.lateness.length = 0;
    const opened = signRequests(one.signer, one.address);
    await openLoop(bench.port, perSecond, make(perSecond * seconds, opened));
    await receiver.settled();
    print(`  at ${perSecond}/s to one endpoint: ${latenessOf(receiver.lateness)}`);
  } finally {
    await stop();
    receiver.close();
  }
}

/** Holds the first delivery to each endpoint while everything is committed, and then releases it. */
async function backlogRate(
  bench: BenchService,
  receiver: CountingReceiver,
  made: readonly MadeOrganization[],
  activities: number,
): Promise<number> {
  receiver.hold();
  const requests = made.flatMap(({ signer, address }) =>
    make(activities / made.length, signRequests(signer, address)),
  );
  await load(bench.port, 32, requests);
  const before = receiver.lateness.length;
  const startedAtMs = performance.now();
  receiver.release();
  const endedAtMs = await receiver.settled();
  return ((receiver.lateness.length - before) * 1000) / (endedAtMs - startedAtMs);
}

/** Measures a thousand endpoints, of which a hundred stop answering in the middle. */
async function measureDead(print: (line: string) => void): Promise<void> {
  const receiver = await startCountingReceiver();
  const dead = await startCountingReceiver();
  const { bench, organizations, stop } = await startWith(manyOrganizations, shortTimeout);
  try {
    await Promise.all(
      organizations.map(async ({ signer }) => {
        await subscribe(bench.port, signer, dead.url);
        for (let n = 1; n < endpointsOfOne; n += 1) {
          await subscribe(bench.port, signer, receiver.url);
        }
      }),
    );
    const signers = organizations.map(({ signer, address }) => signRequests(signer, address));
    const requests = (count: number) =>
      Array.from({ length: count }, (_, n) => signers[n % signers.length]?.() ?? Buffer.alloc(0));
    const activities = perSecond / endpointsOfOne;
    const latenessWith = async (): Promise<number[]> => {
      // Warms up, and lets the service find the dead endpoints.
      await openLoop(bench.port, activities, requests(2 * activities * seconds));
      receiver.lateness.length = 0;
      await openLoop(bench.port, activities, requests(activities * seconds));
      await receiver.settled();
      return [...receiver.lateness];
    };
    const alive = await latenessWith();
    dead.hold();
    const beside = await latenessWith();
    const count = manyOrganizations * endpointsOfOne;
    print(`  at ${perSecond}/s to ${count} endpoints: ${latenessOf(alive)}`);
    print(`  the same, ${manyOrganizations} of them dead: ${latenessOf(beside)}`);
    const ratio = quantile(beside, 0.99) / quantile(alive, 0.99);
    print(`  p99 of those that answer: ${ratio.toFixed(2)} ×`);
  } finally {
    await stop();
    receiver.close();
    dead.close();
  }
}

async function startWith(count: number, environment: Readonly<Record<string, string>>) {
  const data = newDataDirectory();
  await (await startService(data)).stop();
  const population = openPopulation(data);
  const organizations: MadeOrganization[] = [];
  for (let n = 0; n < count; n += 1) organizations.push(await population.organization(1));
  await population.close();
  const bench = await startService(data, undefined, {
    KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
    ...environment,
  });
  const stop = async () => {
    await bench.stop();
    removeDataDirectory(data);
  };
  return { bench, organizations, stop };
}

type CountingReceiver = Awaited<ReturnType<typeof startCountingReceiver>>;

/** Starts a receiver that answers 200 and records the delay of each event, unless it holds its answers. */
async function startCountingReceiver() {
  const lateness: number[] = [];
  const held: ServerResponse[] = [];
  let isHolding = false;
  let lastAtMs = performance.now();
  const { origin, stop } = await startLoopbackServer((request, response) => {
    request.resume();
    request.once('end', () => {
      if (isHolding) {
        held.push(response);
        return;
      }
      lastAtMs = performance.now();
      lateness.push(Date.now() - createdAtMs(String(request.headers['x-service-event-id'])));
      response.end();
    });
  });
  return {
    url: `${origin}/`,
    lateness,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const response of held.splice(0)) response.end();
    },
    /** Returns the time of the last delivery, once none has arrived for some time. */
    settled: async (): Promise<number> => {
      lastAtMs = Math.max(lastAtMs, performance.now() - quietMs / 2);
      while (performance.now() - lastAtMs < quietMs) {
        await new Promise((wake) => setTimeout(wake, 20));
      }
      return lastAtMs;
    },
    close: stop,
  };
}

const quietMs = 1_500;

/** Returns the time of an event, which is the prefix of its id (UUIDv7). */
function createdAtMs(eventId: string): number {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
}

function latenessOf(lateness: readonly number[]): string {
  const [middle, late] = [0.5, 0.99].map((share) => quantile(lateness, share).toFixed(0));
  return `p50 ${middle} ms, p99 ${late} ms (${lateness.length} deliveries)`;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
