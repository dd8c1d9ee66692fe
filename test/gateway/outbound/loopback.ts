// Misbehaving servers on this machine, and a stopped clock that rings on request.

import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { TestContext } from 'node:test';
import type { Connect, Dial } from '../../../src/gateway/outbound/connection.ts';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from '../../../src/gateway/outbound/outbound.ts';
import type { OutboundRequest } from '../../../src/gateway/outbound/request.ts';

/** The owner of a server, a test or a file, which stops it. */
export type Ending = { after(run: () => void): void };

/** Listens on loopback until the test ends; returns the port. */
export async function listening(t: Ending, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // The test observes connections at the client, so errors here are ignored.
    socket.on('error', () => undefined);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function httpServer(t: Ending, listener: RequestListener): Promise<number> {
  return listening(t, createServer({ keepAliveTimeout: 0 }, listener));
}

/** Starts a TCP server with this handler of connections. */
export function tcpServer(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  return listening(t, createTcpServer(serve));
}

/** Sends text repeatedly, as fast as the client accepts it, until the connection ends. */
export function pour(socket: Socket, text: string): void {
  const more = (): void => {
    while (socket.writable && socket.write(text));
    socket.once('drain', more);
  };
  more();
}

/** Resolves when a connection has ended, with or without an error. */
export function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  return promise;
}

/** Creates a clock that rings on request. */
export function stoppedClock(): {
  readonly clock: NonNullable<OutboundOptions['clock']>;
  ring(): void;
  waiting(): number;
} {
  const waiting = new Set<() => void>();
  return {
    clock: {
      after: (_delayMs, run) => {
        waiting.add(run);
        return () => waiting.delete(run);
      },
    },
    ring: () => {
      for (const run of [...waiting]) run();
    },
    waiting: () => waiting.size,
  };
}

/** Records dialled addresses, and connects to loopback instead. */
export function recorder(port: number): { readonly dials: Dial[]; readonly connect: Connect } {
  const dials: Dial[] = [];
  return {
    dials,
    connect: (dial) => {
      dials.push(dial);
      const socket = connect({ host: '127.0.0.1', port });
      // Idle connections never expire, so the duration of a test does not matter.
      socket.setTimeout = () => socket;
      return socket;
    },
  };
}

/** Creates a client that ends with the test, by default with a stopped clock. */
export function outboundOf(t: TestContext, options: Partial<OutboundOptions>): Outbound {
  const { clock } = stoppedClock();
  const outbound = createOutbound({ allowPrivateTargets: false, clock, ...options });
  t.after(() => outbound.close());
  return outbound;
}

export function get(url: string, changed: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, method: 'GET', timeoutMs: 1000, maximumBytes: 1000, ...changed };
}
