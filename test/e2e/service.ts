// The real service for end-to-end tests: `node src/main.ts serve` on a data directory in a temporary folder,
// with its enclave as a child process. Tests use only the interfaces of operators and clients.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { RootCredentials } from '../../src/gateway/enclave/root_credentials.ts';
import { serviceProgram } from '../support/compiled_service.ts';

/** A service that answers `GET /health/ready`. */
export type RunningService = {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  /** Process id of the gateway. */
  readonly pid: number;
  /** The content of `root-credentials.json` after this start. */
  readonly credentials: RootCredentials;
  /** The printed address of the development inbox. */
  readonly inboxUrl: () => string;
  /** Returns the output so far. */
  readonly output: () => Output;
  /** Sends SIGTERM, and requires exit code 0. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
};

export type Output = { readonly stdout: string; readonly stderr: string };
export type Ended = Output & { readonly code: number | null };

type Environment = Readonly<Record<string, string>>;
export type Start = {
  readonly dataDirectory: string;
  readonly environment?: Environment;
  /** Flags of Node and the script of the command. Default: `serviceProgram`. */
  readonly program?: readonly string[];
  /** All words of the command, which replace Node and `program`. */
  readonly command?: readonly string[];
  /** The inherited files from descriptor 3 on. The test writes into a `pipe`. */
  readonly descriptors?: readonly (number | 'pipe')[];
};

const projectDirectory = join(import.meta.dirname, '..', '..');
const temporaryDirectories: string[] = [];
/** The running processes, and their output so far. */
const running = new Map<ChildProcess, () => Output>();
let lastEnded: readonly [ChildProcess, () => Output] | undefined;

// Failed and interrupted tests leave no process and no folder.
process.once('exit', () => {
  for (const child of running.keys()) child.kill('SIGKILL');
  for (const path of temporaryDirectories) rmSync(path, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Starts a service for the tests of one file. It stops after the last test, and its data is removed. */
export async function serviceOfThisFile(environment: Environment = {}): Promise<RunningService> {
  const service = await startService({ dataDirectory: temporaryDirectory(), environment });
  after(() => service.stop());
  return service;
}

/** Starts a service on a free port, and returns it when it is ready. */
export async function startService(start: Start): Promise<RunningService> {
  const { child, output, ended } = launch(start);
  // Tests use an address, because the machine decides where a name leads.
  const greetedFrom = () =>
    /^keywright is ready at (\S+)$/m.exec(output().stderr)?.[1]?.replace('localhost', '127.0.0.1');
  await until('the service greets', () => hasEnded(child) || greetedFrom() !== undefined);
  const baseUrl = greetedFrom();
  assert(baseUrl !== undefined, `the service ended before it was ready: ${output().stderr}`);
  await until('the service is ready', async () => (await fetch(`${baseUrl}/health/ready`)).ok);
  assert(child.pid !== undefined);
  const credentials = readCredentials(start.dataDirectory);
  return {
    baseUrl,
    dataDirectory: start.dataDirectory,
    pid: child.pid,
    credentials: { ...credentials, baseUrl },
    inboxUrl: () =>
      /^development inbox +(\S+)/m.exec(output().stderr)?.[1] ?? assert.fail(output().stderr),
    output,
    stop: async () => {
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts a service that must refuse to start, and returns its end. */
export async function startInVain(start: Start): Promise<Ended> {
  const { child, output, ended } = launch(start);
  await until('the service refuses to start', () => hasEnded(child));
  assert.doesNotMatch(output().stdout, /"msg":"ready"/);
  return await ended;
}

/** Creates an empty folder, which is removed at the end of the test file. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'keywright-e2e-'));
  temporaryDirectories.push(path);
  return path;
}

/** Reads `root-credentials.json`. */
export function readCredentials(dataDirectory: string): RootCredentials {
  return JSON.parse(readFileSync(join(dataDirectory, 'root-credentials.json'), 'utf8'));
}

/** Evaluates a condition repeatedly until it is true. An error counts as false. A failure shows all logs. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  {
    timeoutMs = 60_000,
    everyMs = 20,
    seen = () => '',
  }: {
    readonly timeoutMs?: number;
    readonly everyMs?: number;
    /** Added to the message of a failure. */
    readonly seen?: () => string;
  } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let reason: unknown;
  while (performance.now() < deadline) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      reason = error;
    }
    await pause(everyMs);
  }
  throw new Error(`waited ${timeoutMs} ms in vain until ${what}${seen()}${logs()}`, {
    cause: reason,
  });
}

const shownLines = 30;

/** Returns the last lines of the running processes and of the process that ended last. */
function logs(): string {
  const shown = [...(lastEnded === undefined ? [] : [lastEnded]), ...running];
  return shown
    .map(([{ pid, exitCode, signalCode, spawnargs }, output]) => {
      const { stdout, stderr } = output();
      const lines = [stdout, stderr].map((text) => text.trimEnd().split('\n').slice(-shownLines));
      const end = signalCode ?? exitCode;
      const state = end === null ? 'running' : `ended: ${end}`;
      return `\n\nprocess ${pid} (${state}): ${spawnargs.join(' ')}\n${lines.flat().join('\n')}`;
    })
    .join('');
}

/** Returns the IDs of the child processes of a process. */
export function childrenOf(pid: number): readonly number[] {
  // Linux lists them in /proc, and small images have no ps.
  const listed = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(listed)
    ? readFileSync(listed, 'utf8')
    : execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
        .split('\n')
        .flatMap((line) => new RegExp(`^\\s*${pid}\\s+(\\d+)\\s*$`).exec(line)?.[1] ?? [])
        .join(' ');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Returns true if a process runs. A zombie does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && isGone(error.code)) return false;
    throw error;
  }
}

function isGone(code: unknown): boolean {
  return code === 'ESRCH' || code === 'ENOENT';
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Starts a service, and returns its process at once. */
export function launch({
  dataDirectory,
  environment = {},
  program = [serviceProgram().main],
  command,
  descriptors = [],
}: Start): {
  child: ChildProcess;
  output: () => Output;
  ended: Promise<Ended>;
} {
  const [first = '', ...words] = command ?? [process.execPath, ...program, 'serve'];
  const child = spawn(first, words, {
    cwd: projectDirectory,
    env: {
      ...(command === undefined ? serviceProgram().environment : {}),
      KEYWRIGHT_DATA_DIR: dataDirectory,
      KEYWRIGHT_PORT: '0',
      KEYWRIGHT_ENCLAVES: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const output = (): Output => ({ ...written });
  running.set(child, output);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      lastEnded = [child, output];
      resolve({ ...written, code });
    });
  });
  return { child, output, ended };
}
