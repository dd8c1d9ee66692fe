// Writes the file of an export: a stream of lines encrypted to age recipients
// (https://age-encryption.org/v1). The file gets its name only after all data is on the disk.

import { createHash } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { x25519 } from '@noble/curves/ed25519.js';
import { bech32 } from '@scure/base';
import { Encrypter } from 'age-encryption';
import { hex, wipe } from '../core/base/bytes.ts';
import type { RootKeys } from '../enclave/keys/root_keys.ts';
import { syncDirectory } from '../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

/** Returns the age recipient whose identity is derived from the root key. */
export function recipientOfRootKey(rootKeys: Pick<RootKeys, 'key'>): string {
  const publicKey = x25519.getPublicKey(rootKeys.key('export_key', ''));
  return bech32.encode('age', bech32.toWords(publicKey));
}

export type SealedFile = { readonly bytes: number; readonly digest: string };

/** Writes secret lines into a new file that only its owner can read, and wipes each line. */
export async function writeSealed(
  to: string,
  recipients: readonly string[],
  lines: AsyncIterable<Uint8Array>,
  random: (length: number) => Uint8Array,
): Promise<SealedFile> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  const partial = `${to}.${hex(random(4))}.partial`;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      const digest = createHash('sha256');
      let bytes = 0;
      const sealed = (await encrypter.encrypt(streamOf(lines))).getReader();
      for (;;) {
        const { done, value } = await sealed.read();
        if (done) break;
        digest.update(value);
        bytes += value.length;
        await file.writeFile(value);
      }
      await file.sync();
      linkSync(partial, to);
      syncDirectory(dirname(to));
      return { bytes, digest: digest.digest('hex') };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new UnusableDataError(`${to} exists already and is not overwritten`);
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Yields each line, and wipes it when the cipher requests the next line. By then the cipher has copied it.
 */
function streamOf(lines: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = lines[Symbol.asyncIterator]();
  let last: Uint8Array | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        wipe(last);
        const { done, value } = await iterator.next();
        last = value;
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        wipe(last);
        await iterator.return?.();
      },
    },
    // Disables read-ahead.
    { highWaterMark: 0 },
  );
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new UnusableDataError(`${recipient} is not an age recipient`);
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
