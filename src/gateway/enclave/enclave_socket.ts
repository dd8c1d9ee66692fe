// Enclaves that another process runs, as another user: each connection to its socket is one enclave, which
// has its root key already. The gateway never sees that key.

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { streamChannel } from '../../ipc/stream_channel.ts';
import type { RootKeySource } from '../root_key/source.ts';
import type { EnclaveProcess } from './process.ts';

export type RemoteEnclaves = {
  /** Waits until the other process answers, and gives an empty key. */
  readonly source: RootKeySource;
  /** Returns a new enclave. */
  launch(): EnclaveProcess;
};

/** Milliseconds between two attempts to connect. */
const retryMs = 1_000;

/** The enclaves behind a socket. Nothing is connected yet. */
export function remoteEnclaves(path: string): RemoteEnclaves {
  /** A connection that was made to see that the other process answers. */
  let ready: Socket | undefined;
  return {
    source: {
      place: `of the process at ${path}`,
      mayWait: true,
      read: async ({ waiting, signal }) => {
        for (;;) {
          ready?.destroy();
          ready = await connected(path);
          if (ready !== undefined) break;
          waiting(`waits for the process that runs the enclaves at ${path}`);
          await pause(retryMs, undefined, { signal });
        }
        return { rootKey: new Uint8Array(0), settled: () => undefined, mayDiffer: false };
      },
    },
    launch: () => {
      const socket = ready ?? connect(path);
      ready = undefined;
      return enclaveOn(socket);
    },
  };
}

function enclaveOn(socket: Socket): EnclaveProcess {
  const exited = Promise.withResolvers<string>();
  let reason = 'the connection ended';
  socket.on('error', (error) => {
    reason = error.message;
  });
  socket.once('close', () => exited.resolve(reason));
  return {
    pid: undefined,
    channel: streamChannel(socket, socket),
    exited: exited.promise,
    // An enclave without its gateway ends.
    kill: () => {
      socket.destroy();
    },
  };
}

/** A connection, or undefined where nothing listens. */
async function connected(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const failed = (): void => resolve(undefined);
  socket.once('error', failed);
  socket.once('connect', () => {
    socket.off('error', failed);
    resolve(socket);
  });
  return promise;
}
