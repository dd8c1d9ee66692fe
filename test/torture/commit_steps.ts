// A process with the enclave and its store, which dies within a commit.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Activity } from './ledger.ts';

export type OneRequest = {
  readonly kind: 'submit' | 'query';
  readonly operation: string;
  /** UTF-8 text. */
  readonly body: string;
  readonly stamp: string;
  /** True if the process must die at its step during this commit. */
  readonly isLast: boolean;
};

export type OneProcess = {
  readonly root: { readonly organizationId: string; readonly userId: string };
  /** Returns the answer; undefined if the process died before it answered. */
  send(request: OneRequest): Promise<{ status: number; body: Activity } | undefined>;
  end(): Promise<void>;
};

/** The steps at which a process can die. The last one is after its work. */
export const steps = [
  'before the commit',
  'when the commit was handed over',
  'a turn later',
  'when the commit is durable',
  'when the answer was given',
] as const;

const script = join(import.meta.dirname, '../../node_modules/.cache/one_process/one_process.js');
let isBundled = false;

/** Bundles the program of the process, because one file loads in half the time of a thousand files. */
function bundleOnce(): string {
  if (isBundled) return script;
  buildSync({
    entryPoints: [join(import.meta.dirname, 'one_process.ts')],
    outfile: script,
    bundle: true,
    external: ['pg'],
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    // Error reports contain class names.
    keepNames: true,
    // Packages in CommonJS form `require` the modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  isBundled = true;
  return script;
}

/** Starts a process on a database file, which dies at this step. */
export async function startOneProcess(
  file: string,
  step: (typeof steps)[number],
): Promise<OneProcess> {
  const child = fork(bundleOnce(), [file, step]);
  const ended = once(child, 'exit');
  const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  assert(started !== undefined, 'the process ended before it could be asked');
  return {
    root: started[0],
    send: async (request) => {
      child.send(request);
      const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
      return answer?.[0];
    },
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
