// Converts a root key in a file into one that a passphrase seals, and back. The new file is opened again
// before this returns, and the old one stays.

import { dirname } from 'node:path';
import { utf8, wipe } from '../../core/base/bytes.ts';
import {
  makeDataDirectory,
  readRootKey,
  rootKeyLengthBytes,
  writeFilePrivately,
} from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { readSealedKeyFile, wrongPassphrase } from './passphrase.ts';
import { passphraseBytes, sealRootKey } from './sealed_key.ts';

/** Refuses a passphrase for a new file that is too short. */
function checkNewPassphrase(passphrase: Uint8Array): void {
  if (passphrase.length >= passphraseBytes.minimum) return;
  throw new UnusableDataError(
    `the passphrase has ${passphrase.length} bytes, at least ${passphraseBytes.minimum} are needed: take six random words`,
  );
}

/**
 * Seals a root key into a new file (0600, durable), and opens that again. Raises UnusableDataError where
 * there is a file already.
 */
async function writeSealedKey(
  path: string,
  rootKey: Uint8Array,
  passphrase: Uint8Array,
): Promise<void> {
  checkNewPassphrase(passphrase);
  makeDataDirectory(dirname(path));
  writeFilePrivately(path, utf8(await sealRootKey(rootKey, passphrase, openKernelRandom())));
  const opened = await readSealedKeyFile(path).open(passphrase);
  try {
    if (opened !== undefined && Buffer.compare(opened, rootKey) === 0) return;
    throw new UnusableDataError(
      `${path} does not open again: keep the old key and look at the disk`,
    );
  } finally {
    wipe(opened);
  }
}

/** Seals a new root key into a new file. */
export async function createSealedKey(path: string, passphrase: Uint8Array): Promise<void> {
  const rootKey = openKernelRandom()(rootKeyLengthBytes);
  try {
    await writeSealedKey(path, rootKey, passphrase);
  } finally {
    wipe(rootKey);
  }
}

/** Seals the key of one file into another one. */
export async function wrapRootKey(from: string, to: string, passphrase: Uint8Array): Promise<void> {
  const rootKey = readRootKey(from);
  if (rootKey === undefined) throw new UnusableDataError(`there is no root key at ${from}`);
  try {
    await writeSealedKey(to, rootKey, passphrase);
  } finally {
    wipe(rootKey);
  }
}

/** Opens a sealed file into a file of 32 raw bytes, and reads that again. */
export async function unwrapRootKey(
  from: string,
  to: string,
  passphrase: Uint8Array,
): Promise<void> {
  const rootKey = await readSealedKeyFile(from).open(passphrase);
  if (rootKey === undefined) throw new UnusableDataError(`${wrongPassphrase} ${from}`);
  let written: Uint8Array | undefined;
  try {
    writeFilePrivately(to, rootKey);
    written = readRootKey(to);
    if (written !== undefined && Buffer.compare(written, rootKey) === 0) return;
    throw new UnusableDataError(`${to} does not read back: keep the old key and look at the disk`);
  } finally {
    wipe(rootKey, written);
  }
}
