import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listenLocally } from '../../gateway/base/local_socket.ts';
import { usage } from '../words/failures.ts';
import { type AgentParts, serveConnection } from './agent.ts';

/**
 * Maximum connections. A new one ends the connection that was idle for the longest time, or else the one that
 * has waited longest for its answer.
 */
export const maximumConnections = 16;

export type AgentListener = {
  readonly path: string;
  /** Rejects with an internal error. */
  readonly failed: Promise<never>;
  /** Closes all connections and removes the socket. */
  stop(): Promise<void>;
};

/**
 * Serves an agent at a socket that only this user can open. Default path: in a new private folder. Throws
 * `usage` if the path exists or cannot be bound.
 */
export async function listenForSsh(
  given: string | undefined,
  parts: AgentParts,
): Promise<AgentListener> {
  if (given !== undefined && existsSync(given)) throw usage(`${given} exists already`);
  const path = given ?? join(mkdtempSync(join(tmpdir(), 'keywright-ssh-')), 'agent.sock');
  const { promise: failed, reject } = Promise.withResolvers<never>();
  /** Connections in the order of their last message or answer. */
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();
  const remove = (socket: Socket): boolean => idle.delete(socket) || busy.delete(socket);
  const server = createServer((socket) => {
    const [first] = [...idle, ...busy];
    // A host to which the user forwards the agent may keep connections open, while a signature waits for
    // approvals.
    if (first !== undefined && idle.size + busy.size >= maximumConnections) {
      remove(first);
      first.destroy();
    }
    idle.add(socket);
    const noteUse = (isBusy: boolean): void => {
      if (remove(socket)) (isBusy ? busy : idle).add(socket);
    };
    socket.once('close', () => remove(socket));
    // A client that disconnects early gets no answer.
    socket.on('error', () => socket.destroy());
    serveConnection(socket, parts, noteUse).catch((error) => {
      if (!socket.destroyed) reject(error);
    });
  });
  await listenLocally(server, path, 0o600).catch((error: Error) => {
    throw usage(`cannot listen at ${path}: ${error.message}`);
  });
  return {
    path,
    failed,
    stop: async () => {
      server.close();
      for (const socket of [...idle, ...busy]) socket.destroy();
      if (given === undefined) rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}
