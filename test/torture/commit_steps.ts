// A process of its own for the enclave and its store, to be ended in the middle of a commit.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Activity } from './ledger.ts';

export type OneRequest = {
  readonly kind: 'submit' | 'query';
  readonly operation: string;
  /** UTF-8. */
  readonly body: string;
  readonly stamp: string;
  /** The process dies at the step of its commit. */
  readonly isLast: boolean;
};

export type OneProcess = {
  readonly root: { readonly organizationId: string; readonly userId: string };
  /** The answer; undefined where the process died before it gave one. */
  send(request: OneRequest): Promise<{ status: number; body: Activity } | undefined>;
  end(): Promise<void>;
};

/** Where a process can die; the last one dies after its work. */
export const steps = [
  'before the commit',
  'when the commit was handed over',
  'a turn later',
  'when the commit is durable',
  'when the answer was given',
] as const;

const script = join(import.meta.dirname, '../../node_modules/.cache/one_process/one_process.js');
let isBundled = false;

/** Bundles the program of the process: one file loads in half of the time of a thousand. */
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

/** Starts a process on a database file, to die at this step. */
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
