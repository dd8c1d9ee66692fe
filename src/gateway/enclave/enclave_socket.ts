// Enclaves in a separate process of another user. Each connection to its socket is one enclave, which already
// has its root key. The gateway never receives that key.

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { streamChannel } from '../../ipc/stream_channel.ts';
import type { RootKeySource } from '../root_key/source.ts';
import type { EnclaveProcess } from './process.ts';

type RemoteEnclaves = {
  /** Waits until the other process accepts a connection. Returns an empty key. */
  readonly source: RootKeySource;
  /** Connects to a new enclave. */
  launch(): EnclaveProcess;
};

/** Milliseconds between two connection attempts. */
const retryMs = 1_000;

/** Creates the enclaves behind a socket, without a connection yet. */
export function remoteEnclaves(path: string): RemoteEnclaves {
  /** The connection that tested the other process; the first enclave uses it. */
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
    // An enclave exits when its gateway disconnects.
    kill: () => {
      socket.destroy();
    },
  };
}

/** Returns a connection, or undefined if no process listens. */
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
