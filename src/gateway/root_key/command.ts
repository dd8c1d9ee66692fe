// The root key from the output of a command: the client of a key management service or a secret manager,
// systemd-creds, a TPM tool, age. The command is an argument list, never a shell line.

import { setTimeout as timeout } from 'node:timers/promises';
import { wipe } from '../../core/base/bytes.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { type CommandFailure, commandEnvironment, runCommand } from '../base/run_command.ts';
import { decodeKey, type KeyEncoding, outputBytesOf } from './key_encodings.ts';
import { withNextKey } from './next_key.ts';
import type { OpenSource } from './source.ts';

/** Times in milliseconds. Tests replace them. */
const commandPauses = {
  /** A command that takes longer is killed. */
  longestMs: 30_000,
  /** Pause between a failure and the next attempt, doubled up to the last. */
  firstRetryMs: 1_000,
  lastRetryMs: 30_000,
};

/** Reads the root key from a command, which is repeated until it returns a key. */
export const commandSource: OpenSource = (settings, ports) =>
  commandSourceWith(commandPauses)(settings, ports);

/** Creates the same source with other times. */
export function commandSourceWith(pauses: typeof commandPauses): OpenSource {
  return (settings, ports) => {
    const { rootKeyCommand: words, rootKeyNextCommand: nextWords } = settings;
    if (words === undefined) {
      throw new UnusableDataError(
        'KEYWRIGHT_ROOT_KEY_COMMAND is not set: name the command that prints the root key, as ["/usr/bin/age","--decrypt","…"]',
      );
    }
    const { rootKeyCommandEnvironment: named } = settings;
    const environment = commandEnvironment(named, ports.environment);
    const place = `the command ${words[0]}`;
    let failure: CommandFailure | undefined;
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
          const { longestMs } = pauses;
          const options = { environment, encoding, signal, longestMs, place };
          const ran = await rootKeyOf(words, options);
          if ('rootKey' in ran) {
            const next = nextWords && (await rootKeyOf(nextWords, options));
            const settled = (why: string | undefined): void => {
              failure = why === undefined ? undefined : { reason: why };
              if (why === undefined) pauseMs = pauses.firstRetryMs;
            };
            const nextKey = next !== undefined && 'rootKey' in next ? next.rootKey : undefined;
            return { rootKey: withNextKey(ran.rootKey, nextKey), settled, mayDiffer: true };
          }
          failure = ran.failure;
          const { reason, said } = failure;
          failed?.(said === undefined ? reason : `${reason}: ${said}`);
        }
      },
    };
  };
}

async function rootKeyOf(
  words: readonly string[],
  options: Omit<Parameters<typeof runCommand>[1], 'maximumOutputBytes'> & {
    readonly encoding: KeyEncoding;
  },
): Promise<{ readonly rootKey: Uint8Array } | { readonly failure: CommandFailure }> {
  const { encoding, place } = options;
  const ran = await runCommand(words, { ...options, maximumOutputBytes: outputBytesOf(encoding) });
  if ('failure' in ran) return ran;
  try {
    const rootKey = decodeKey(ran.output, encoding);
    if (rootKey !== undefined) return { rootKey };
    const reason = `${place} must print exactly ${rootKeyLengthBytes} bytes as ${encoding}, and nothing else`;
    return { failure: { reason } };
  } finally {
    wipe(ran.output);
  }
}
