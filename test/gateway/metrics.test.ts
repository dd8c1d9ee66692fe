import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { probesPerSecond } from '../../src/gateway/admission/rate_limit.ts';
import { serveMetrics } from '../../src/gateway/http/metrics_server.ts';
import { createMetrics } from '../../src/gateway/observability/prometheus.ts';

/** The reading of an idle enclave. */
const vitals = {
  residentBytes: 0,
  heapUsedBytes: 0,
  externalBytes: 0,
  lagP99Micros: 0,
  lagMaximumMicros: 0,
  busyPermille: 0,
  requests: 0,
  largeReadsWaiting: 0,
  unrecordedRefusals: 0,
};

test('gauges are read at each scrape', async () => {
  let dropped = 3;
  const pools = [
    { pool: 'reads', maximum: 8, open: 5, idle: 2, waiting: 7 },
    { pool: 'commits', maximum: 1, open: 1, idle: 0, waiting: 0 },
  ];
  const { render } = await createMetrics({
    logLinesDropped: () => dropped,
    connections: () => pools,
  });
  const linesOf = async (name: string) =>
    (await render()).split('\n').filter((line) => line.startsWith(`keywright_${name}`));
  assert.deepEqual(await linesOf('log_lines'), ['keywright_log_lines_dropped_total 3']);
  dropped = 5;
  assert.deepEqual(await linesOf('log_lines'), ['keywright_log_lines_dropped_total 5']);
  assert.deepEqual(await linesOf('database_connections'), [
    'keywright_database_connections_maximum{pool="reads"} 8',
    'keywright_database_connections_maximum{pool="commits"} 1',
    'keywright_database_connections_open{pool="reads"} 5',
    'keywright_database_connections_open{pool="commits"} 1',
    'keywright_database_connections_in_use{pool="reads"} 3',
    'keywright_database_connections_in_use{pool="commits"} 1',
    'keywright_database_connections_waiting{pool="reads"} 7',
    'keywright_database_connections_waiting{pool="commits"} 0',
  ]);
});

test('waits of changes are counted by rank, also after a restart of the enclave', async () => {
  const { metrics, render } = await createMetrics();
  const none = { waiting: 0, ended: 0, waitedMs: 0 };
  const measured = (users: typeof none) =>
    metrics.enclaveMeasured({
      ...vitals,
      changeWaits: { first: none, users, strangers: none },
    });
  measured({ waiting: 4, ended: 2, waitedMs: 500 });
  measured({ waiting: 3, ended: 5, waitedMs: 2_000 });
  measured({ waiting: 1, ended: 1, waitedMs: 250 });
  const lines = (await render()).split('\n').filter((line) => /_changes_.*"users"/.test(line));
  assert.deepEqual(lines, [
    'keywright_changes_waiting{rank="users"} 1',
    'keywright_changes_waited_total{rank="users"} 6',
    'keywright_changes_waited_seconds_total{rank="users"} 2.25',
  ]);
});

test('open files of the process are counted, with their limit', async () => {
  const { render } = await createMetrics();
  const text = await render();
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  assert.ok(process.platform !== 'linux' || value('process_open_fds') > 0);
  assert.ok(process.platform !== 'linux' || value('process_max_fds') >= value('process_open_fds'));
});

for (const path of ['/metrics', '/health/live', '/unknown']) {
  test(`a client of the metrics that reads no answers to ${path} is disconnected`, async (t) => {
    const served = await serveMetrics(
      { host: '127.0.0.1', port: 0, pace: { bodyLimitBytes: 1_000, requestTimeoutMs: 200 } },
      { contentType: 'text/plain', render: async () => 'a 1\n' },
      () => [],
    );
    t.after(() => served.close());
    const socket = connect({ port: served.port, host: '127.0.0.1' }).pause();
    t.after(() => socket.destroy());
    const closed = Promise.withResolvers<void>();
    socket.on('error', () => undefined).once('close', () => closed.resolve());
    // More than the server reads ahead, so the client sees the end while it writes.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(500_000));
    await closed.promise;
  });
}

/** Starts a metrics server; returns its answers to requests from addresses of this machine. */
async function startMetrics(t: TestContext) {
  const served = await serveMetrics(
    { host: '127.0.0.1', port: 0, named: ({ remoteAddress }) => remoteAddress ?? '' },
    { contentType: 'text/plain', render: async () => 'a 1\n' },
    () => [],
  );
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    served.close();
  });
  const open = (localAddress: string): Socket => {
    const socket = connect({ port: served.port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    return socket.on('error', () => undefined);
  };
  const ask = async (localAddress: string, path: string): Promise<string> => {
    const socket = open(localAddress);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    let received = '';
    for await (const data of socket) received += String(data);
    return received;
  };
  return { open, ask };
}

/** The server closes a connection without a request after this time. */
const idleMs = 2_000;

test('idle connections of two sources leave others the metrics, and a probe to themselves', async (t) => {
  const { open, ask } = await startMetrics(t);
  for (let isOver = false; !isOver; ) {
    const openedAtMs = performance.now();
    const idle = Array.from({ length: 200 }, (_, i) => open(`127.0.0.${2 + (i % 2)}`));
    await Promise.all(
      idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
    );
    const ofIdle = await ask('127.0.0.2', '/metrics');
    const probe = await ask('127.0.0.2', '/health/live');
    const ofOthers = [];
    for (let i = 0; i < 20; i += 1) ofOthers.push(await ask('127.0.0.9', '/metrics'));
    // On a busy machine the server may close idle connections too early; then the test repeats.
    isOver = performance.now() - openedAtMs < idleMs;
    for (const socket of idle) socket.destroy();
    if (!isOver) continue;
    assert.match(ofIdle, /^HTTP\/1\.1 503 /);
    assert.match(probe, /^HTTP\/1\.1 200 /);
    for (const answer of ofOthers) assert.match(answer, /^HTTP\/1\.1 200 .*a 1/s);
  }
});

test('a source of the metrics may probe some hundred times a second', async (t) => {
  const { ask } = await startMetrics(t);
  t.mock.method(performance, 'now', () => 0);
  for (let i = 0; i < probesPerSecond; i += 1) {
    assert.match(await ask('127.0.0.2', '/health/live'), /^HTTP\/1\.1 200 /);
  }
  assert.match(await ask('127.0.0.2', '/health/live'), /^HTTP\/1\.1 429 /);
  assert.match(await ask('127.0.0.3', '/health/live'), /^HTTP\/1\.1 200 /);
});

test('a source may fetch the metrics 20 times a second, by any path', async (t) => {
  const { ask } = await startMetrics(t);
  t.mock.method(performance, 'now', () => 0);
  for (let i = 0; i < 19; i += 1) {
    assert.match(await ask('127.0.0.2', '/metrics'), /^HTTP\/1\.1 200 /);
  }
  assert.match(await ask('127.0.0.2', '/other'), /^HTTP\/1\.1 404 /);
  assert.match(await ask('127.0.0.2', '/metrics'), /^HTTP\/1\.1 429 .*retry-after: 1/s);
  assert.match(await ask('127.0.0.2', '/health/live'), /^HTTP\/1\.1 200 /);
  assert.match(await ask('127.0.0.3', '/metrics'), /^HTTP\/1\.1 200 /);
});
