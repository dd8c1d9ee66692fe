// `keywright enclave`: runs the enclaves of a gateway that runs as another user. It alone has the root key,
// and talks to nothing but its socket. Each connection becomes the standard input and output of one enclave;
// no byte of it passes through here.

import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import type { Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import type { Log } from '../observability/log.ts';
import type { OperatorPorts } from '../root_key/open_custody.ts';
import { openRootKeySource } from '../root_key/providers.ts';
import type { SourceSettings } from '../root_key/source.ts';
import { usualEnclaves } from './pool.ts';
import { type HandedEnclave, startEnclaveOn } from './process.ts';

export type EnclaveServer = {
  /** Ends all enclaves and removes the socket. */
  stop(): Promise<void>;
};

type EnclaveSettings = SourceSettings & Pick<Settings, 'enclaveSocket' | 'enclaves'>;

/** Enclaves beyond those of the gateway: of commands, and of gateways that ended without their enclave. */
const spareEnclaves = 4;

/**
 * Reads the root key, however long that takes, and listens. Raises UnusableDataError where there is no key
 * to wait for, and the reason of the signal.
 */
export async function serveEnclaves(
  settings: EnclaveSettings,
  parts: OperatorPorts & { readonly log: Log; readonly signal: AbortSignal },
): Promise<EnclaveServer> {
  const { enclaveSocket: path } = settings;
  if (path === undefined) {
    throw new UnusableDataError('KEYWRIGHT_ENCLAVE_SOCKET is needed: the socket to listen at');
  }
  const { log, signal, environment = {}, askSecret, silently } = parts;
  const random = openKernelRandom();
  const ports = { random, environment, askSecret, silently, isService: true };
  const source = openRootKeySource(settings, ports);
  const { rootKey, settled } = await source.read({
    // This process cannot know if the database is new.
    mayCreate: false,
    waiting: (reason, detail) => log('warn', 'sealed', { reason, ...(detail && { detail }) }),
    signal,
  });
  settled(undefined);
  const most = (settings.enclaves ?? usualEnclaves(availableParallelism())) + spareEnclaves;
  const enclaves = runEnclaves(rootKey, { most, log });
  const server = createServer({ pauseOnConnect: true }, enclaves.start);
  try {
    await listen(server, path);
  } catch (error) {
    wipe(rootKey);
    throw error;
  }
  log('info', 'ready', { socket: path });
  return {
    stop: async () => {
      server.close();
      rmSync(path, { force: true });
      await enclaves.stop();
      wipe(rootKey);
    },
  };
}

/** Starts an enclave for each connection, and ends the oldest above a number. */
function runEnclaves(
  rootKey: Uint8Array,
  { most, log }: { readonly most: number; readonly log: Log },
) {
  const running = new Set<HandedEnclave>();
  return {
    start: (connection: Socket): void => {
      const key = copyOfSecret(rootKey);
      const enclave = startEnclaveOn(connection, key, log);
      void enclave.keyWritten.then(() => wipe(key));
      running.add(enclave);
      log('info', 'an enclave was started', { pid: enclave.pid ?? 0 });
      void enclave.exited.then((exit) => {
        running.delete(enclave);
        log('info', 'an enclave ended', { pid: enclave.pid ?? 0, exit });
      });
      // An enclave ends with its connection. One that hangs does not notice.
      const [oldest] = running;
      if (running.size > most) oldest?.kill();
    },
    stop: async (): Promise<void> => {
      const ends = [...running].map(({ exited, kill }) => {
        kill();
        return exited;
      });
      await Promise.all(ends);
    },
  };
}

/** Listens for this user and its group: 0660, below a folder that says who may come there. */
async function listen(server: Server, path: string): Promise<void> {
  // A socket of a process that was killed.
  rmSync(path, { force: true });
  const listening = Promise.withResolvers<void>();
  server.once('error', (error) => {
    listening.reject(new UnusableDataError(`cannot listen at ${path}: ${error.message}`));
  });
  const umask = process.umask(0o117);
  try {
    server.listen(path, listening.resolve);
  } finally {
    process.umask(umask);
  }
  await listening.promise;
}
