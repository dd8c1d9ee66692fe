// Starts the real service for a measurement, and reads the processor time of its two processes.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDirectory } from '../src/gateway/enclave/process.ts';

export type Credentials = {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiPublicKey: string;
  readonly apiPrivateKey: string;
  readonly authProxyConfigId: string;
};

export type BenchService = {
  readonly dataDirectory: string;
  readonly port: number;
  readonly credentials: Credentials;
  readonly readyMs: number;
  readonly cpuSeconds: () => { gateway: number; enclave: number };
  readonly residentMiB: () => { gateway: number; enclave: number };
  /** Returns the bytes allocated since the start; 0 without `heapProbe`. */
  readonly allocatedBytes: () => Promise<{ gateway: number; enclave: number }>;
  /** Stops the service; its data stays. */
  readonly stop: () => Promise<void>;
};

/** Environment of a service that counts the bytes it allocates, in one enclave. */
export const heapProbe = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'heap_probe.ts')}`,
  KEYWRIGHT_ENCLAVES: '1',
};

const readyTimeoutMs = 30_000;
/** Maximum length of the service's output in memory. */
const maximumSaidUnits = 16_384;

/** Folders to remove, also after a failed run. */
const dataDirectories = new Set<string>();
process.once('exit', () => {
  for (const path of dataDirectories) removeDataDirectory(path);
});

/** Creates a folder for the data of a service; `BENCH_DIRECTORY` selects the measured disk. */
export function newDataDirectory(): string {
  const path = mkdtempSync(join(process.env['BENCH_DIRECTORY'] ?? tmpdir(), 'keywright-bench-'));
  dataDirectories.add(path);
  return path;
}

export function removeDataDirectory(path: string): void {
  rmSync(path, { recursive: true });
  dataDirectories.delete(path);
}

/** Reads the credentials that the first start of a service left for its operator. */
export function credentialsIn(dataDirectory: string): Credentials {
  return JSON.parse(readFileSync(join(dataDirectory, 'root-credentials.json'), 'utf8'));
}

/**
 * Starts a service on a free port, on the embedded store unless the address of a database is given.
 * `directory` is the root of the checkout whose service starts.
 */
export async function startService(
  data: string,
  databaseUrl?: string,
  environment: Readonly<Record<string, string>> = {},
  directory: string = projectDirectory,
): Promise<BenchService> {
  const port = await freePort();
  const startedAt = performance.now();
  const gateway = spawn(process.execPath, startArguments(directory), {
    cwd: directory,
    env: {
      KEYWRIGHT_DATA_DIR: data,
      KEYWRIGHT_PORT: String(port),
      KEYWRIGHT_LOG_LEVEL: 'warn',
      ...(databaseUrl === undefined ? {} : { KEYWRIGHT_DATABASE_URL: databaseUrl }),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The greeting of a successful start is not needed.
  let said = '';
  gateway.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-maximumSaidUnits);
  });
  try {
    await untilReady(gateway, port);
  } catch (cause) {
    gateway.kill('SIGKILL');
    throw new Error(`the service did not start: ${said}`, { cause });
  }
  const readyMs = performance.now() - startedAt;
  const pid = gateway.pid ?? 0;
  const enclavePid = Number(
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0],
  );
  return {
    dataDirectory: data,
    port,
    credentials: credentialsIn(data),
    readyMs,
    cpuSeconds: () => ({ gateway: cpuSecondsOf(pid), enclave: cpuSecondsOf(enclavePid) }),
    residentMiB: () => ({ gateway: residentMiBOf(pid), enclave: residentMiBOf(enclavePid) }),
    allocatedBytes: async () => {
      if (environment['NODE_OPTIONS'] !== heapProbe.NODE_OPTIONS) return { gateway: 0, enclave: 0 };
      const answered = once(gateway.stderr, 'data');
      gateway.kill('SIGUSR2');
      const [line] = await answered;
      const [, own, enclave] = /^allocated (\d+) (\d+)\n$/.exec(String(line)) ?? [];
      return { gateway: Number(own), enclave: Number(enclave) };
    },
    stop: async () => {
      const exited = new Promise((resolve) => gateway.once('exit', resolve));
      gateway.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the arguments with which `npm start` starts Node. */
function startArguments(directory: string): readonly string[] {
  const manifest = readFileSync(join(directory, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  return words.slice(words.indexOf('node') + 1);
}

async function untilReady(gateway: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  while (performance.now() < deadline) {
    if (gateway.exitCode !== null) throw new Error('the service stopped while starting');
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/health/ready`);
      if (status === 200) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the service did not become ready');
}

/**
 * Returns the processor time of all threads of a process so far. The scheduler counts nanoseconds, `stat`
 * hundredths of a second.
 */
export function cpuSecondsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, taken) => sum + taken, 0) / 1e9;
}

function residentMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
