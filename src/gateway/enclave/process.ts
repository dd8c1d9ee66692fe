// Starts the enclave's process with minimal permissions, and connects to it.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import type { Channel } from '../../ipc/channel.ts';
import { holdsKeyFlag } from '../../ipc/held_key.ts';
import { streamChannel } from '../../ipc/stream_channel.ts';
import { kernelRandomDevice } from '../../system/kernel_random.ts';
import type { Log } from '../observability/log.ts';

/** The top of the project: the directory of `package.json`. */
export const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The program of the enclave: TypeScript in a checkout, JavaScript in the package. */
export const enclaveEntry = join(
  projectDirectory,
  'src',
  'enclave',
  `main${extname(import.meta.filename)}`,
);

/**
 * Returns the Node flags of the enclave, before the name of its program. It may read only the program's own
 * files and the kernel's random source; all other permissions of Node's permission model are withheld.
 */
export function enclaveFlags(directory: string = projectDirectory): readonly string[] {
  return [
    // No network, no writes, no other reads, no processes, workers, inspector, WASI.
    '--permission',
    ...['src', 'node_modules', 'package.json', 'package-lock.json'].map(
      (name) => `--allow-fs-read=${join(directory, name)}`,
    ),
    `--allow-fs-read=${kernelRandomDevice}`,
    '--no-addons',
    '--no-experimental-ffi',
    // node:sqlite would write files despite the permissions.
    '--no-experimental-sqlite',
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    // Otherwise any process of the same user could open a debugger by this signal.
    '--disable-sigusr1',
    // Few objects outlive their request, so a small nursery is collected in pauses of 2 ms instead of 6. A
    // larger one takes less processor time with 128 concurrent requests, and more memory than an idle service
    // may have.
    '--max-semi-space-size=4',
    // Few objects live long, so a full collection can wait for more garbage. The enclave itself runs one
    // collection, which removes the garbage of its start.
    '--initial-heap-size=128',
    '--expose-gc',
    // Disables features that the program does not use.
    '--no-experimental-websocket',
    '--no-experimental-global-navigator',
    '--no-webstorage',
    '--no-global-search-paths',
  ];
}

/** Returns the whole environment of the enclave: one crypto thread per core, two malloc arenas. */
export function enclaveEnvironment(): Record<string, string> {
  return { UV_THREADPOOL_SIZE: String(availableParallelism()), MALLOC_ARENA_MAX: '2' };
}

/** A running enclave, reached through its standard input and output. */
export type EnclaveProcess = {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly channel: Channel;
  /** Resolves with the exit status once the process has ended. */
  readonly exited: Promise<string>;
  kill(): void;
};

/** Starts an enclave, and logs its standard error line by line. */
export function startEnclaveProcess({
  log,
  flags = enclaveFlags(),
  entry = enclaveEntry,
}: {
  readonly log: Log;
  readonly flags?: readonly string[];
  readonly entry?: string;
}): EnclaveProcess {
  const child = spawn(process.execPath, [...flags, entry], {
    ...spawnOptions(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return { ...watched(child, log), channel: streamChannel(child.stdout, child.stdin) };
}

/** An enclave that serves another process. */
export type HandedEnclave = Omit<EnclaveProcess, 'channel'>;

/**
 * Starts an enclave that uses a connection as standard input and output, and reads its root key from a
 * descriptor. Closes the connection in this process. The caller wipes the key once `keyWritten` settles.
 */
export function startEnclaveOn(
  connection: Socket,
  rootKey: Uint8Array,
  log: Log,
): HandedEnclave & { readonly keyWritten: Promise<void> } {
  const child = spawn(process.execPath, [...enclaveFlags(), enclaveEntry, holdsKeyFlag], {
    ...spawnOptions(),
    stdio: [connection, connection, 'pipe', 'pipe'],
  });
  // The child holds the connection. Destroying the socket here keeps it open; `end` would shut it down.
  connection.destroy();
  const written = Promise.withResolvers<void>();
  const [, , , pipe] = child.stdio;
  if (pipe instanceof Writable) {
    // An exited child does not read the key; its exit is reported separately.
    pipe.on('error', () => written.resolve());
    pipe.end(rootKey, () => written.resolve());
  } else written.resolve();
  return { ...watched(child, log), keyWritten: written.promise };
}

function spawnOptions() {
  return {
    cwd: '/',
    env: enclaveEnvironment(),
    // A separate process group, because the terminal's interrupt is for the gateway, which finishes requests
    // before it ends the enclave.
    detached: true,
  };
}

function watched(
  child: ChildProcess & { readonly stderr: Readable | null },
  log: Log,
): HandedEnclave {
  if (child.stderr !== null) {
    onLines(child.stderr, (line) => log('warn', 'the enclave wrote to its error output', { line }));
  }
  const exited = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => exited.resolve(`exit code ${code}, signal ${signal}`));
  child.once('error', (error) => exited.resolve(`not started: ${error.message}`));
  return {
    pid: child.pid,
    exited: exited.promise,
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}

const maximumLineLength = 8_192;

/** Calls back with each line of a stream, truncated to a bounded length. */
export function onLines(stream: Readable, take: (line: string) => void): void {
  let line = '';
  const finish = (): void => {
    if (line !== '') take(line);
    line = '';
  };
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const parts = chunk.split('\n');
    for (const [i, part] of parts.entries()) {
      if (i > 0) finish();
      line += part.slice(0, maximumLineLength - line.length);
    }
  });
  stream.on('end', finish);
}
