// A root key on disk, sealed with a passphrase from a file, a descriptor, the terminal of the service, or
// `keywright unseal`.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOfUtf8, wipe } from '../../core/base/bytes.ts';
import { readSecretFile } from '../../store/data_directory/secret_file.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { nextKeyAt, nextPathOf, withNextKey } from './next_key.ts';
import { readPassphraseDescriptor, readPassphraseFile } from './read_passphrase.ts';
import { readSealedKey, type SealedKey, sealedKeyMaximumBytes } from './sealed_key.ts';
import {
  type GivenKey,
  nothingSettled,
  type OpenSource,
  type ReadRequest,
  type SourcePorts,
  type SourceSettings,
} from './source.ts';
import { listenForUnseal, type UnsealAnswer, unsealSocketPath } from './unseal_socket.ts';
import { untilAborted } from './until_aborted.ts';

/** Reads the root key from its sealed file. Prompts for a passphrase that cannot be read again. */
export const passphraseSource: OpenSource = (settings, ports) => {
  const path = sealedKeyPath(settings);
  let isDescriptorRead = false;
  const { rootKeyPassphraseFile: passphraseFile } = settings;
  const readNext =
    passphraseFile === undefined
      ? undefined
      : (next: string) => openNext(next, readPassphraseFile(passphraseFile));
  return {
    place: path,
    mayWait: true,
    next: nextKeyAt(path, readNext),
    read: async (request) => {
      const { rootKeyPassphraseFile: file, rootKeyPassphraseDescriptor: descriptor } = settings;
      // Reports a missing file before the prompt, because no passphrase would help.
      const sealed = readSealedKeyFile(path);
      if (file !== undefined)
        return openedBy(sealed, readPassphraseFile(file), { path, from: file });
      if (descriptor !== undefined && !isDescriptorRead) {
        isDescriptorRead = true;
        const from = `descriptor ${descriptor}`;
        request.waiting(`waits for the passphrase from ${from}`);
        const passphrase = await readPassphraseDescriptor(descriptor, request.signal);
        return openedBy(sealed, passphrase, { path, from });
      }
      return askPeople(path, settings, ports, request);
    },
  };
};

/** Returns the path of the sealed root key. */
function sealedKeyPath({
  rootKeyFile,
  dataDirectory,
}: Pick<SourceSettings, 'rootKeyFile' | 'dataDirectory'>): string {
  return rootKeyFile ?? join(dataDirectory, 'root.key.sealed');
}

/** Reads a sealed root key. Raises UnusableDataError if it is missing or invalid. */
export function readSealedKeyFile(path: string): SealedKey {
  const what = 'the sealed root key';
  const read = readSecretFile({ path, what, maximumBytes: sealedKeyMaximumBytes });
  if (read === undefined) {
    throw new UnusableDataError(
      `there is no sealed root key at ${path}: create one with keywright root-key init, or seal the key of a file with keywright root-key wrap`,
    );
  }
  const text = textOfUtf8(read.bytes);
  const sealed = text === undefined ? undefined : readSealedKey(text);
  if (sealed !== undefined) return sealed;
  throw new UnusableDataError(
    `${path} is not a sealed root key of version 1: put a copy of it back`,
  );
}

async function openedBy(
  sealed: SealedKey,
  passphrase: Uint8Array,
  { path, from }: { readonly path: string; readonly from: string },
): Promise<GivenKey> {
  try {
    const opened = await sealed.open(passphrase);
    if (opened !== undefined) {
      const rootKey = withNextKey(opened, await openNext(nextPathOf(path), passphrase));
      return { rootKey, settled: nothingSettled, mayDiffer: false };
    }
    throw new UnusableDataError(
      `the passphrase from ${from} does not open the sealed root key ${path}`,
    );
  } finally {
    wipe(passphrase);
  }
}

/**
 * Opens the sealed key of the next epoch; undefined without a file. Raises UnusableDataError if another
 * passphrase seals it.
 */
async function openNext(path: string, passphrase: Uint8Array): Promise<Uint8Array | undefined> {
  if (!existsSync(path)) return undefined;
  const next = await readSealedKeyFile(path).open(passphrase);
  if (next !== undefined) return next;
  throw new UnusableDataError(
    `the passphrase of the root key does not open ${path}: seal it with the same one`,
  );
}

export const wrongPassphrase = 'the passphrase does not open the sealed root key';

/** Waits for the right passphrase, from the terminal or the socket. Attempts are not logged. */
async function askPeople(
  path: string,
  { dataDirectory }: SourceSettings,
  { askSecret, silently = (work) => work(), isService }: SourcePorts,
  { waiting, signal }: ReadRequest,
): Promise<GivenKey> {
  const found = Promise.withResolvers<GivenKey>();
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  const take = async (passphrase: Uint8Array): Promise<UnsealAnswer> => {
    const opened = await readSealedKeyFile(path).open(passphrase);
    if (opened === undefined) return { refusal: wrongPassphrase };
    const rootKey = withNextKey(opened, await openNext(nextPathOf(path), passphrase));
    const ended = Promise.withResolvers<string | undefined>();
    found.resolve({ rootKey, settled: ended.resolve, mayDiffer: true });
    return { refusal: await ended.promise };
  };
  const socket = isService
    ? await listenForUnseal(unsealSocketPath(dataDirectory), takeOrSay)
    : undefined;
  /** Like `take`, but returns the error of a missing sealed key to the sender of the passphrase. */
  async function takeOrSay(passphrase: Uint8Array): Promise<UnsealAnswer> {
    try {
      return await take(passphrase);
    } catch (error) {
      if (!(error instanceof UnusableDataError)) throw error;
      return { refusal: error.message };
    }
  }
  waiting(
    isService
      ? 'waits for the passphrase of the root key: run keywright unseal on the machine of the service'
      : 'waits for the passphrase of the root key',
  );
  const asking =
    askSecret === undefined
      ? undefined
      : silently(() => askAtTerminal(askSecret, takeOrSay, until));
  try {
    const failed = asking ?? new Promise<never>(() => {});
    const given = await Promise.race([found.promise, failed, untilAborted(until)]);
    return {
      ...given,
      settled: (failure) => {
        given.settled(failure);
        socket?.close();
      },
    };
  } catch (error) {
    socket?.close();
    throw error;
  } finally {
    done.abort();
  }
}

/** Prompts again after each wrong passphrase. Ends only by an error. */
async function askAtTerminal(
  askSecret: NonNullable<SourcePorts['askSecret']>,
  take: (passphrase: Uint8Array) => Promise<UnsealAnswer>,
  until: AbortSignal,
): Promise<never> {
  for (let question = 'Passphrase of the root key: '; ; ) {
    const passphrase = await askSecret(question, until);
    const { refusal } = await take(passphrase).finally(() => wipe(passphrase));
    if (refusal === undefined) return untilAborted(until);
    question = `${refusal}, again: `;
  }
}
