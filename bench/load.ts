// A closed-loop load generator that costs little: raw sockets, requests made beforehand.

import { connect, type Socket } from 'node:net';

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not 200, by status. */
  readonly refused: ReadonlyMap<number, number>;
};

/** A whole HTTP/1.1 request as bytes. */
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

/** Sends the requests over so many connections, each waiting for its answer before the next. */
export async function load(
  port: number,
  connections: number,
  requests: readonly Buffer[],
): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const refused = new Map<number, number>();
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await openConnection(port);
      for (;;) {
        const request = requests[next];
        next += 1;
        if (request === undefined) break;
        const sentAt = performance.now();
        const status = await connection.exchange(request);
        latenciesMs.push(performance.now() - sentAt);
        if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1);
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
  return {
    requests: requests.length,
    seconds,
    perSecond: requests.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    refused,
  };
}

/** Far beyond any answer: a measurement must end. */
const answerTimeoutMs = 30_000;

type Connection = { exchange(request: Buffer): Promise<number>; close(): void };

function openConnection(port: number): Promise<Connection> {
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

/** The status of an answer that has arrived whole. */
function completeAnswer(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return received.length >= end + 4 + length ? Number(head.slice(9, 12)) : undefined;
}
