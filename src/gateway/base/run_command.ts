// Runs a command of the operator, such as the client of a key management service or a tool for a hardware
// module. The command is an argument list, never a shell line.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyOfSecret, secretBytes, textOfUtf8, wipe } from '../../core/base/bytes.ts';

const maximumErrorBytes = 2_048;
/** Variables that clients need to find their own files. The operator names all others. */
const passedAlways = ['PATH', 'HOME', 'CREDENTIALS_DIRECTORY'];

/** Returns the environment of a command: the named variables, and those that every command gets. */
export function commandEnvironment(
  named: readonly string[] = [],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    [...passedAlways, ...named].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `said` is the untrusted output of the command about the failure. */
export type CommandFailure = { readonly reason: string; readonly said?: string };

/**
 * Runs a command. Returns the start of its output, which the caller wipes if it is secret, or the reason of
 * its failure. Kills a command that takes too long, together with its child processes.
 */
export async function runCommand(
  [program = '', ...words]: readonly string[],
  options: {
    readonly environment: Record<string, string>;
    /** Standard input. Not for secrets, because it is a file of this user. */
    readonly input?: Uint8Array;
    readonly maximumOutputBytes: number;
    readonly longestMs: number;
    readonly signal: AbortSignal;
    /** Name of the command in error messages. */
    readonly place: string;
  },
): Promise<{ readonly output: Uint8Array } | { readonly failure: CommandFailure }> {
  const { environment, input, maximumOutputBytes, longestMs, signal, place } = options;
  signal.throwIfAborted();
  const inputFile = input === undefined ? undefined : unnamedFile(input);
  const child = spawn(program, words, {
    cwd: '/',
    env: environment,
    stdio: [inputFile ?? 'ignore', 'pipe', 'pipe'],
    // A separate process group, so that child processes end with it.
    detached: true,
  });
  if (inputFile !== undefined) closeSync(inputFile);
  const output = collect(maximumOutputBytes);
  const complaint = collect(maximumErrorBytes);
  child.stdout?.on('data', output.take);
  child.stderr?.on('data', complaint.take);
  const ended = Promise.withResolvers<string | undefined>();
  child.once('error', (error) => ended.resolve(`cannot be started: ${error.message}`));
  child.once('close', (code, killedBy) => ended.resolve(endOf(code, killedBy)));
  const kill = (why: string): void => {
    if (child.pid !== undefined) killGroup(child.pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
    ended.resolve(why);
  };
  const tooLong = setTimeout(() => kill(`took longer than ${longestMs} ms`), longestMs);
  const abort = (): void => kill('was ended with the service');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const end = await ended.promise;
    signal.throwIfAborted();
    if (end === undefined) return { output: output.copy() };
    const said = complaint.text();
    return { failure: { reason: `${place} ${end}`, ...(said === '' ? {} : { said }) } };
  } finally {
    clearTimeout(tooLong);
    signal.removeEventListener('abort', abort);
    output.wipe();
  }
}

/** Creates an unlinked file with this content. Pipes of Node are sockets, which /dev/stdin cannot open. */
function unnamedFile(content: Uint8Array): number {
  const path = join(tmpdir(), `keywright-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  // Writes at a position, so that reads begin at the start.
  writeSync(file, content, 0, content.length, 0);
  return file;
}

function endOf(code: number | null, signal: string | null): string | undefined {
  if (code === 0) return undefined;
  return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Collects the start of a stream, and wipes its chunks. */
function collect(maximumBytes: number) {
  const kept = secretBytes(maximumBytes);
  let length = 0;
  return {
    take: (chunk: Uint8Array): void => {
      const taken = chunk.subarray(0, maximumBytes - length);
      kept.set(taken, length);
      length += taken.length;
      wipe(chunk);
    },
    copy: () => copyOfSecret(kept.subarray(0, length)),
    /** Returns the text on one line. */
    text: () =>
      (textOfUtf8(kept.subarray(0, length)) ?? 'unreadable output').trim().replace(/\s+/g, ' '),
    wipe: () => wipe(kept),
  };
}
