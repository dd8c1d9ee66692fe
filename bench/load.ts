// Cheap load generators: raw sockets with prepared requests.

import { connect, type Socket } from 'node:net';

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maximumMs: number;
  /** Numbers of answers other than 200, by status. */
  readonly refused: ReadonlyMap<number, number>;
  /** Requests that were never sent, because every connection was in use for too long. */
  readonly dropped: number;
};

/** Returns a whole HTTP/1.1 request as bytes. */
export function httpRequest(path: string, headers: string[], body: Uint8Array): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Sends the requests over this number of connections, each after the last answer, until `isOver` returns
 * true.
 */
export async function load(
  port: number,
  connections: number,
  requests: readonly Buffer[],
  isOver: () => boolean = () => false,
): Promise<LoadResult> {
  const tally = createTally();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await openConnection(port);
      for (;;) {
        const request = requests[next];
        next += 1;
        if (request === undefined || isOver()) break;
        const sentAtMs = performance.now();
        tally.count(await connection.exchange(request), sentAtMs);
      }
      connection.close();
    }),
  );
  return tally.result();
}

/** Connections of an open loop, and thus the maximum number of concurrent requests. */
const openLoopConnections = 256;
const probe = Buffer.from('GET /health/live HTTP/1.1\r\nHost: bench\r\n\r\n', 'latin1');

/**
 * Sends the requests at fixed times, this number per second, also while earlier ones are unanswered. The
 * latency of each counts from its planned time, including the wait for a free connection.
 */
export async function openLoop(
  port: number,
  perSecond: number,
  requests: readonly Buffer[],
  {
    connections: connectionCount = openLoopConnections,
    patienceMs = Number.POSITIVE_INFINITY,
  }: { readonly connections?: number; readonly patienceMs?: number } = {},
): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: connectionCount }, () => openConnection(port)),
  );
  // An answer on each connection shows that the service accepted it; this time belongs to no request.
  await Promise.all(connections.map((connection) => connection.exchange(probe)));
  const free = [...connections];
  const due: { readonly request: Buffer; readonly atMs: number }[] = [];
  const answered: Promise<void>[] = [];
  const tally = createTally();

  async function send(request: Buffer, atMs: number, connection: Connection): Promise<void> {
    tally.count(await connection.exchange(request), atMs);
    let waiting = due.shift();
    while (waiting !== undefined && performance.now() - waiting.atMs > patienceMs) {
      tally.drop();
      waiting = due.shift();
    }
    if (waiting === undefined) free.push(connection);
    else await send(waiting.request, waiting.atMs, connection);
  }

  const startedAtMs = performance.now();
  let sent = 0;
  while (sent < requests.length) {
    const elapsedMs = performance.now() - startedAtMs;
    const dueCount = Math.floor((elapsedMs * perSecond) / 1000) + 1;
    for (const request of requests.slice(sent, dueCount)) {
      const atMs = startedAtMs + (sent * 1000) / perSecond;
      const connection = free.pop();
      if (connection === undefined) due.push({ request, atMs });
      else answered.push(send(request, atMs, connection));
      sent += 1;
    }
    // A timer is up to 2 ms late, which counts as latency; polling would take a core from the service.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(answered);
  for (const connection of connections) connection.close();
  return tally.result();
}

function createTally() {
  const latenciesMs: number[] = [];
  const refused = new Map<number, number>();
  const startedAtMs = performance.now();
  let dropped = 0;
  return {
    drop: (): void => {
      dropped += 1;
    },
    count: (status: number, fromMs: number): void => {
      latenciesMs.push(performance.now() - fromMs);
      if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1);
    },
    result: (): LoadResult => {
      const seconds = (performance.now() - startedAtMs) / 1000;
      latenciesMs.sort((a, b) => a - b);
      const at = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
      return {
        requests: latenciesMs.length,
        seconds,
        perSecond: latenciesMs.length / seconds,
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        maximumMs: at(1),
        refused,
        dropped,
      };
    },
  };
}

/** Far longer than any answer takes, so that a measurement ends. */
const answerTimeoutMs = 30_000;

export type Connection = { exchange(request: Buffer): Promise<number>; close(): void };

export function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<number> | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const status = completeAnswer(received);
    if (status === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(status);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the service closed a connection')));
  socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('no answer in time')));
  const opened = Promise.withResolvers<Connection>();
  socket.once('error', opened.reject);
  socket.once('connect', () =>
    opened.resolve({
      exchange: (request) => {
        waiting = Promise.withResolvers();
        socket.write(request);
        return waiting.promise;
      },
      close: () => socket.destroy(),
    }),
  );
  return opened.promise;
}

/** Returns the status of a completely received answer. */
function completeAnswer(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return received.length >= end + 4 + length ? Number(head.slice(9, 12)) : undefined;
}
