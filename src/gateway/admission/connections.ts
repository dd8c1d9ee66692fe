// Bounds the connections of a server in total and per source, and reserves a few for health probes.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createFairPool } from './fair_pool.ts';
import { type Source, sourceOf } from './rate_limit.ts';

export type ConnectionLimits = {
  readonly connectionsMaximum: number;
  readonly sourceSharePercent: number;
  readonly trustedProxies: number;
};

export type Connections = {
  /** Counts a new connection; `closeIdle` closes connections that wait for another request. */
  enter(socket: Socket, closeIdle: () => void): void;
  /** Returns true if a connection is above a bound, so that it serves health probes only. */
  servesProbesOnly(socket: Socket): boolean;
};

/** Connections above the bounds. */
export const probeConnections = 64;
/** Lifetime of such a connection. */
const probeConnectionMs = 2_000;
/** Minimum interval between searches for idle connections, because each checks all of them. */
const closeIdleEveryMs = 1_000;

/** Creates the bounds that all servers of one process share. `clock` is monotonic, in milliseconds. */
export function createConnections(
  limits: ConnectionLimits,
  clock: () => number,
  /** Tests replace it, because their clients share the addresses of one machine. */
  named: (source: Source) => string = (source) => sourceOf(source, 0),
): Connections {
  const pool = createFairPool({
    maximum: limits.connectionsMaximum,
    // Connections of trusted proxies carry the requests of many sources.
    sharePercent: limits.trustedProxies > 0 ? 100 : limits.sourceSharePercent,
  });
  const probesOnly = new Set<Socket>();
  let closedIdleAtMs = Number.NEGATIVE_INFINITY;

  function enterAboveBounds(socket: Socket): void {
    const [oldest] = probesOnly;
    if (probesOnly.size >= probeConnections) oldest?.destroy();
    if (oldest?.destroyed === true) probesOnly.delete(oldest);
    probesOnly.add(socket);
    const deadline = setTimeout(() => socket.destroy(), probeConnectionMs);
    socket.once('close', () => {
      clearTimeout(deadline);
      probesOnly.delete(socket);
    });
  }

  return {
    enter: (socket, closeIdle) => {
      const { remoteAddress } = socket;
      const source = named({ remoteAddress, forwardedFor: undefined });
      const isFull = pool.held() >= limits.connectionsMaximum;
      if (isFull && clock() - closedIdleAtMs >= closeIdleEveryMs) {
        closedIdleAtMs = clock();
        closeIdle();
      }
      if (!pool.fits(source, 1)) {
        enterAboveBounds(socket);
        return;
      }
      pool.add(source, 1);
      socket.once('close', () => pool.add(source, -1));
    },
    servesProbesOnly: (socket) => probesOnly.has(socket),
  };
}

/** Bounds the connections of a server without settings. */
export function boundConnections(
  server: Server,
  connectionsMaximum: number,
  named?: (source: Source) => string,
): Connections {
  const limits = { connectionsMaximum, sourceSharePercent: 50, trustedProxies: 0 };
  const connections = createConnections(limits, () => performance.now(), named);
  server.on('connection', (socket) =>
    connections.enter(socket, () => server.closeIdleConnections()),
  );
  return connections;
}

/** File descriptors other than connections: database, log, pipes of the enclave, webhooks. */
const otherFiles = 256;

/**
 * Returns the number of connections that the process can keep open, given the text of `/proc/self/limits`;
 * the requested number if the text has no limit.
 */
export function affordableConnections(requested: number, limitsText: string | undefined): number {
  const [, openFiles] = /^Max open files +(\d+)/m.exec(limitsText ?? '') ?? [];
  if (openFiles === undefined) return requested;
  const free = Number(openFiles) - otherFiles - probeConnections;
  return Math.max(1, Math.min(requested, free));
}
