// Servers on this machine that answer badly, and a clock that stands still until it is told to ring.

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

/** The one who tells that it is over: a test, or the file of all of them. */
export type Ending = { after(run: () => void): void };

/** Starts listening on loopback and ends with the test; gives the port. */
export async function listening(t: Ending, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // The client sees how a test treats a connection; the server need not care.
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

/** A server of bytes: what it does with each connection. */
export function tcpServer(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  return listening(t, createTcpServer(serve));
}

/** Text over and over, as fast as it is taken, until the connection ends. */
export function pour(socket: Socket, text: string): void {
  const more = (): void => {
    while (socket.writable && socket.write(text));
    socket.once('drain', more);
  };
  more();
}

/** When a connection has ended, well or not. */
export function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  return promise;
}

/** Rings when it is told to. */
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

/** Writes down what is dialled, and connects to loopback in place of it. */
export function recorder(port: number): { readonly dials: Dial[]; readonly connect: Connect } {
  const dials: Dial[] = [];
  return {
    dials,
    connect: (dial) => {
      dials.push(dial);
      const socket = connect({ host: '127.0.0.1', port });
      // No kept connection grows old: how long a test takes must not matter.
      socket.setTimeout = () => socket;
      return socket;
    },
  };
}

/** A client that ends with the test, and whose time stands still unless another clock is given. */
export function outboundOf(t: TestContext, options: Partial<OutboundOptions>): Outbound {
  const { clock } = stoppedClock();
  const outbound = createOutbound({ allowPrivateTargets: false, clock, ...options });
  t.after(() => outbound.close());
  return outbound;
}

export function get(url: string, changed: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, method: 'GET', timeoutMs: 1000, maximumBytes: 1000, ...changed };
}
