// Drill: two nodes on one PostgreSQL database behind a proxy restart one after the other under load.

import { randomBytes } from 'node:crypto';
import { type RunningService, readCredentials, startService, until } from '../e2e/service.ts';
import { nodeDirectory, wroteCredentials } from '../e2e/two_nodes.ts';
import { newDatabase, type PostgresServer } from '../store/postgres_server.ts';
import { freePort } from '../support/free_port.ts';
import { type ProxyName, startProxy } from './proxies.ts';
import { outcomesOf, signersOf } from './signing_load.ts';

export type RollingRestart = {
  readonly requests: number;
  /** Number of requests by the status of the answer, or by the reason for a missing answer. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number of starts of a node after its first. */
  readonly restarts: number;
  /** Number of requests that the proxy sent to a second node. */
  readonly repeated: number;
  readonly longestMs: number;
};

const clients = 8;

const hasSigned = (node: RunningService): boolean =>
  node.output().stdout.includes('"sign_raw_payload"');

/**
 * Restarts both nodes by turns, each at least once, until `leastRequests` were sent. Each client pauses
 * for `restMs` after an answer.
 */
export async function restartRolling(
  server: PostgresServer,
  proxyName: ProxyName,
  leastRequests: number,
  { restMs = 0 }: { readonly restMs?: number } = {},
): Promise<RollingRestart> {
  const databaseUrl = await newDatabase(server.url);
  const rootKey = randomBytes(32);
  const places = [
    { port: await freePort(), dataDirectory: nodeDirectory(rootKey) },
    { port: await freePort(), dataDirectory: nodeDirectory(rootKey) },
  ] as const;
  const start = ({ port, dataDirectory }: (typeof places)[number]): Promise<RunningService> =>
    startService({
      dataDirectory,
      environment: {
        KEYWRIGHT_DATABASE_URL: databaseUrl,
        KEYWRIGHT_PORT: String(port),
        KEYWRIGHT_TRUSTED_PROXIES: '1',
        KEYWRIGHT_LAME_DUCK_MS: '4000',
        // The log has a line for each request, which shows the node that the proxy chose.
        KEYWRIGHT_LOG_LEVEL: 'info',
      },
    });
  const nodes = await Promise.all(places.map(start));
  const maker = nodes.find(wroteCredentials) ?? nodes[0];
  if (maker === undefined) throw new Error('there are two nodes');
  const credentials = readCredentials(maker.dataDirectory);
  const proxy = await startProxy(proxyName, [places[0].port, places[1].port]);
  const behindProxy = { ...maker, baseUrl: proxy.baseUrl, credentials };
  await until(
    'the proxy reaches a node',
    async () => (await fetch(`${proxy.baseUrl}/health/ready`)).ok,
  );
  const startLoad = await signersOf(behindProxy);
  const load = startLoad(proxy.baseUrl, clients, restMs);
  let restarts = 0;
  try {
    while (restarts < places.length || load.sent.length < leastRequests) {
      const i = restarts % places.length;
      await nodes[i]?.stop();
      const place = places[i];
      if (place === undefined) throw new Error('each node has a place');
      const node = await start(place);
      nodes[i] = node;
      restarts += 1;
      // An operator restarts the next node only when the proxy uses this one again.
      const before = load.sent.length;
      await until(
        'the proxy uses the node',
        () => load.sent.length > before + 100 && hasSigned(node),
      );
    }
  } finally {
    await load.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await proxy.stop();
  }
  return {
    requests: load.sent.length,
    outcomes: outcomesOf(load.sent),
    restarts,
    repeated: proxy.repeated(),
    longestMs: Math.max(...load.sent.map(({ durationMs }) => durationMs)),
  };
}
