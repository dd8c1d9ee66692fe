// `keywright enclave`: runs the enclaves for a gateway of another user. Only this process has the root key,
// and it communicates only over its socket. Each connection becomes the standard input and output of one
// enclave; this process does not read it.

import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import type { Settings } from '../../settings/settings.ts';
import { lockFile } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { listenLocally } from '../base/local_socket.ts';
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

type EnclaveParts = OperatorPorts & { readonly log: Log; readonly signal: AbortSignal };

/**
 * Number of enclaves in addition to those of the gateway: for commands, and for orphans of stopped gateways.
 */
const spareEnclaves = 4;

/**
 * Waits for the root key without a time limit, and listens. Raises UnusableDataError if another process
 * serves the socket or no key can arrive, and the abort reason of the signal.
 */
export async function serveEnclaves(
  settings: EnclaveSettings,
  parts: EnclaveParts,
): Promise<EnclaveServer> {
  const { enclaveSocket: path } = settings;
  if (path === undefined) {
    throw new UnusableDataError('set KEYWRIGHT_ENCLAVE_SOCKET to the path of the socket');
  }
  // Without the lock, a running process would lose its socket and its gateways.
  const lock = lockFile(`${path}.lock`, `the socket ${path}`);
  try {
    const server = await serveAt(path, settings, parts);
    return { stop: () => server.stop().finally(() => lock.close()) };
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function serveAt(
  path: string,
  settings: EnclaveSettings,
  parts: EnclaveParts,
): Promise<EnclaveServer> {
  const { log, signal, environment = {}, askSecret, silently } = parts;
  const random = openKernelRandom();
  const ports = { random, environment, askSecret, silently, isService: true };
  const source = openRootKeySource(settings, ports);
  const { rootKey, settled } = await source.read({
    // This process has no access to the database, so it cannot detect a new one.
    mayCreate: false,
    waiting: (reason, detail) => log('warn', 'sealed', { reason, ...(detail && { detail }) }),
    signal,
  });
  settled(undefined);
  const most = (settings.enclaves ?? usualEnclaves(availableParallelism())) + spareEnclaves;
  const enclaves = runEnclaves(rootKey, { most, log });
  const server = createServer({ pauseOnConnect: true }, enclaves.start);
  try {
    // Access for this user and its group; the parent folder restricts it further.
    await listenLocally(server, path, 0o660);
  } catch (error) {
    wipe(rootKey);
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDataError(`cannot listen at ${path}: ${reason}`);
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

/** Starts an enclave for each connection, and ends the oldest above the maximum number. */
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
      // An enclave exits when its connection closes. A hung enclave has to be killed.
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
