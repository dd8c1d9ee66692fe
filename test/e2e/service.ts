// The real service for end-to-end tests: `node src/main.ts serve` on a data directory in a temporary
// folder, with its enclave as a child of its own. Tests see what an operator and a client see.

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
  /** The content of `root-credentials.json`, with the address of this start. */
  readonly credentials: RootCredentials;
  /** Where the development inbox is, as the start printed it. */
  readonly inboxUrl: () => string;
  /** All that was written so far. */
  readonly output: () => Output;
  /** SIGTERM, and the exit code 0 that must follow. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
};

export type Output = { readonly stdout: string; readonly stderr: string };
export type Ended = Output & { readonly code: number | null };

type Environment = Readonly<Record<string, string>>;
export type Start = {
  readonly dataDirectory: string;
  readonly environment?: Environment;
  /** The script of the command and Node's flags before it; by default that of `serviceProgram`. */
  readonly program?: readonly string[];
  /** All words of the command, in the place of Node and `program`. */
  readonly command?: readonly string[];
  /** The files it inherits from descriptor 3 on: `pipe` is a pipe that the test writes into. */
  readonly descriptors?: readonly (number | 'pipe')[];
};

const projectDirectory = join(import.meta.dirname, '..', '..');
const temporaryDirectories: string[] = [];
const running = new Set<ChildProcess>();

// Tests that fail or are broken off leave no process and no folder behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const path of temporaryDirectories) rmSync(path, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** For the tests of one file: a service that is stopped, and its data removed, after the last. */
export async function serviceOfThisFile(environment: Environment = {}): Promise<RunningService> {
  const service = await startService({ dataDirectory: temporaryDirectory(), environment });
  after(() => service.stop());
  return service;
}

/** Starts a service on a free port and gives it when it is ready. */
export async function startService(start: Start): Promise<RunningService> {
  const { child, output, ended } = launch(start);
  // Tests name the address itself: what a name leads to is the machine's own matter.
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

/** Starts a service that is expected to refuse, and gives how it ended. */
export async function startInVain(start: Start): Promise<Ended> {
  const { child, output, ended } = launch(start);
  await until('the service refuses to start', () => hasEnded(child));
  assert.doesNotMatch(output().stdout, /"msg":"ready"/);
  return await ended;
}

/** A new empty folder, removed at the end of the test file. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'keywright-e2e-'));
  temporaryDirectories.push(path);
  return path;
}

/** The content of `root-credentials.json`. */
export function readCredentials(dataDirectory: string): RootCredentials {
  return JSON.parse(readFileSync(join(dataDirectory, 'root-credentials.json'), 'utf8'));
}

/** Asks again and again until the answer is yes; an answer that fails counts as no. */
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
  throw new Error(`waited in vain until ${what}${seen()}`, { cause: reason });
}

/** Ids of the processes that a process has started. */
export function childrenOf(pid: number): readonly number[] {
  // Linux tells by itself; small images have no ps.
  const listed = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(listed)
    ? readFileSync(listed, 'utf8')
    : execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
        .split('\n')
        .flatMap((line) => new RegExp(`^\\s*${pid}\\s+(\\d+)\\s*$`).exec(line)?.[1] ?? [])
        .join(' ');
  return text.split(' ').filter(Boolean).map(Number);
}

/** True if a process of that id runs; one that has ended and was not yet waited for does not. */
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

/** Starts a service and gives its process at once. */
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
  running.add(child);
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const output = (): Output => ({ ...written });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ ...written, code });
    });
  });
  return { child, output, ended };
}
