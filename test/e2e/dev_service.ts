// Starts `keywright dev` in a folder like a developer, and reads its output.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { RootCredentials } from '../../src/gateway/enclave/root_credentials.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { until } from './service.ts';

export type DevService = {
  readonly baseUrl: string;
  readonly lines: readonly string[];
  readonly pid: number;
  /** Returns the content of a key file in its folder. */
  readonly credentials: (name: string) => RootCredentials;
  /** Returns the path of that file. */
  readonly credentialsPath: (name: string) => string;
  /** Requests a path below /dev/ with the printed token. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

const { main, environment } = serviceProgram();
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs `keywright dev` until it ends by itself. */
export async function devInVain(folder: string, ...flags: readonly string[]) {
  const { child, ended, written } = launch(folder, flags);
  const code = await ended;
  assert.equal(child.signalCode, null);
  return { code, stderr: written() };
}

/** Starts `keywright dev` on a free port, and returns it after its greeting. */
export function startDev(folder: string, ...flags: readonly string[]): Promise<DevService> {
  return startDevOf(main, folder, flags);
}

/** Starts it with additional environment variables. */
export function startDevWith(
  variables: Readonly<Record<string, string>>,
  folder: string,
  ...flags: readonly string[]
): Promise<DevService> {
  return startDevOf(main, folder, flags, variables);
}

/** Starts it by another program than the sources, such as the launcher of an installed package. */
export async function startDevOf(
  program: string,
  folder: string,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<DevService> {
  const allFlags = ['--port', '0', ...flags];
  const { child, ended, written } = launch(folder, allFlags, program, variables);
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  await until('it greets', () => isOver() || /^For development only/m.test(written()));
  assert(!isOver() && child.pid !== undefined, written());
  const lines = written().trimEnd().split('\n');
  const localUrl = /^keywright dev is ready at (http:\/\/localhost:\d+)$/.exec(lines[0] ?? '')?.[1];
  assert(localUrl !== undefined, written());
  const baseUrl = localUrl.replace('localhost', '127.0.0.1');
  const token = /\/dev\/inbox\?token=(\S+)$/m.exec(written())?.[1] ?? assert.fail(written());
  const credentialsPath = (name: string) => join(folder, '.keywright', `${name}.json`);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    baseUrl,
    lines,
    pid: child.pid,
    credentials: (name) => JSON.parse(readFileSync(credentialsPath(name), 'utf8')),
    credentialsPath,
    ask: (path, init) => fetch(`${baseUrl}${path}?token=${token}`, init),
    stop: async () => assert.equal(await end('SIGTERM'), 0, written()),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

/** Starts `keywright dev`, and kills it as soon as a condition holds. */
export async function killDevOnce(folder: string, isTime: () => boolean): Promise<void> {
  const { child, ended, written } = launch(folder, ['--port', '0']);
  await until('it is time', () => child.exitCode !== null || isTime(), { everyMs: 1 });
  assert.equal(child.exitCode, null, written());
  child.kill('SIGKILL');
  await ended;
}

function launch(folder: string, flags: readonly string[], program = main, variables = {}) {
  const child = spawn(process.execPath, [program, 'dev', ...flags], {
    cwd: folder,
    // A package starts without the cache, as after its installation.
    env: { ...(program === main ? environment : {}), ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { child, ended, written: () => text };
}
