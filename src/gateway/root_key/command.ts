// A command that prints the root key: the client of a key management service or a secret manager,
// systemd-creds, a TPM tool, age. An argument list, never a shell.

import { spawn } from 'node:child_process';
import { setTimeout as timeout } from 'node:timers/promises';
import { secretBytes, textOfUtf8, wipe } from '../../core/base/bytes.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { decodeKey, type KeyEncoding, outputBytesOf } from './key_encodings.ts';
import type { OpenSource, SourceSettings } from './source.ts';

/** Milliseconds. Tests replace them. */
const commandPauses = {
  /** A command that takes longer is killed. */
  longestMs: 30_000,
  /** Between a failure and the next try, doubled up to the last. */
  firstRetryMs: 1_000,
  lastRetryMs: 30_000,
};

const maximumErrorBytes = 2_048;
/** The variables that a client needs to find its own files; the operator names everything else. */
const passedAlways = ['PATH', 'HOME', 'CREDENTIALS_DIRECTORY'];

/** The root key from a command, which is run again until it gives a key. */
export const commandSource: OpenSource = (settings, ports) =>
  commandSourceWith(commandPauses)(settings, ports);

/** The same with other times. */
export function commandSourceWith(pauses: typeof commandPauses): OpenSource {
  return (settings, ports) => {
    const { rootKeyCommand: words } = settings;
    if (words === undefined) {
      throw new UnusableDataError(
        'KEYWRIGHT_ROOT_KEY_COMMAND is not set: name the command that prints the root key, as ["/usr/bin/age","--decrypt","…"]',
      );
    }
    const environment = environmentFor(settings, ports.environment);
    const place = `the command ${words[0]}`;
    let failure: Failure | undefined;
    let pauseMs = pauses.firstRetryMs;
    return {
      place,
      mayWait: true,
      read: async ({ waiting, failed, signal }) => {
        for (;;) {
          waiting(failure?.reason ?? `waits for ${place}`, failure?.said);
          if (failure !== undefined) {
            // The timer rejects with an error of its own.
            await timeout(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
            pauseMs = Math.min(pauseMs * 2, pauses.lastRetryMs);
          }
          const { rootKeyCommandEncoding: encoding } = settings;
          const ran = await run(words, { environment, encoding, signal, pauses, place });
          if ('rootKey' in ran) {
            const settled = (why: string | undefined): void => {
              failure = why === undefined ? undefined : { reason: why };
              if (why === undefined) pauseMs = pauses.firstRetryMs;
            };
            return { rootKey: ran.rootKey, settled, mayDiffer: true };
          }
          failure = ran.failure;
          const { reason, said } = failure;
          failed?.(said === undefined ? reason : `${reason}: ${said}`);
        }
      },
    };
  };
}

function environmentFor(
  { rootKeyCommandEnvironment: named = [] }: SourceSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    [...passedAlways, ...named].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `said` is the command's untrusted output about the failure. */
type Failure = { readonly reason: string; readonly said?: string };
type Ran = { readonly rootKey: Uint8Array } | { readonly failure: Failure };

async function run(
  [program = '', ...words]: readonly string[],
  options: {
    readonly environment: Record<string, string>;
    readonly encoding: KeyEncoding;
    readonly signal: AbortSignal;
    readonly pauses: typeof commandPauses;
    readonly place: string;
  },
): Promise<Ran> {
  const { environment, encoding, signal, pauses, place } = options;
  signal.throwIfAborted();
  const child = spawn(program, words, {
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  const output = collect(outputBytesOf(encoding));
  const complaint = collect(maximumErrorBytes);
  child.stdout.on('data', output.take);
  child.stderr.on('data', complaint.take);
  const ended = Promise.withResolvers<string | undefined>();
  child.once('error', (error) => ended.resolve(`cannot be started: ${error.message}`));
  child.once('close', (code, killedBy) => ended.resolve(endOf(code, killedBy)));
  const kill = (why: string): void => {
    if (child.pid !== undefined) killGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    ended.resolve(why);
  };
  const tooLong = setTimeout(
    () => kill(`took longer than ${pauses.longestMs} ms`),
    pauses.longestMs,
  );
  const abort = (): void => kill('was ended with the service');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const end = await ended.promise;
    signal.throwIfAborted();
    if (end !== undefined) {
      const said = complaint.text();
      return { failure: { reason: `${place} ${end}`, ...(said === '' ? {} : { said }) } };
    }
    const rootKey = decodeKey(output.bytes(), encoding);
    if (rootKey !== undefined) return { rootKey };
    const reason = `${place} must print exactly ${rootKeyLengthBytes} bytes as ${encoding}, and nothing else`;
    return { failure: { reason } };
  } finally {
    clearTimeout(tooLong);
    signal.removeEventListener('abort', abort);
    output.wipe();
  }
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

/** The first bytes of a stream; the chunks they came in are wiped. */
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
    bytes: () => kept.subarray(0, length),
    /** Returns the text on one line. */
    text: () =>
      (textOfUtf8(kept.subarray(0, length)) ?? 'unreadable output').trim().replace(/\s+/g, ' '),
    wipe: () => wipe(kept),
  };
}
