// Converts a root key file into a passphrase-sealed file, and back. Verifies the new file before it returns,
// and keeps the old one. A new passphrase replaces the sealed file atomically.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { utf8, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import {
  makeDataDirectory,
  readRootKey,
  rootKeyLengthBytes,
  writeFilePrivately,
} from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { readSealedKeyFile, wrongPassphrase } from './passphrase.ts';
import { passphraseBytes, readSealedKey, sealRootKey } from './sealed_key.ts';

/** Rejects a passphrase that is too short for a new file. */
function checkNewPassphrase(passphrase: Uint8Array): void {
  if (passphrase.length >= passphraseBytes.minimum) return;
  throw new UnusableDataError(
    `the passphrase has ${passphrase.length} bytes, at least ${passphraseBytes.minimum} are needed: take six random words`,
  );
}

/**
 * Seals a root key into a new file (0600, durable), and verifies it. Raises UnusableDataError for an existing
 * file.
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

/** Seals the key of one file into another file. */
export async function wrapRootKey(from: string, to: string, passphrase: Uint8Array): Promise<void> {
  const rootKey = readRootKey(from);
  if (rootKey === undefined) throw new UnusableDataError(`there is no root key at ${from}`);
  try {
    await writeSealedKey(to, rootKey, passphrase);
  } finally {
    wipe(rootKey);
  }
}

/**
 * Seals the root key of a sealed file with a new passphrase, and replaces the file by a rename. One of the
 * two passphrases opens the file at any time. Returns the path behind symbolic links.
 */
export async function rewrapRootKey(
  given: string,
  current: Uint8Array,
  next: Uint8Array,
): Promise<string> {
  checkNewPassphrase(next);
  const sealed = readSealedKeyFile(given);
  // A rename would replace a symbolic link, and its target would keep the old passphrase.
  const path = realpathSync(given);
  checkOwner(path);
  const before = readFileSync(path);
  const rootKey = await sealed.open(current);
  if (rootKey === undefined) throw new UnusableDataError(`${wrongPassphrase} ${path}`);
  let opened: Uint8Array | undefined;
  try {
    const text = await sealRootKey(rootKey, next, openKernelRandom());
    opened = await readSealedKey(text)?.open(next);
    assert(opened !== undefined && Buffer.compare(opened, rootKey) === 0, 'a sealed key opens');
    if (Buffer.compare(readFileSync(path), before) !== 0) {
      throw new UnusableDataError(`${path} was changed meanwhile: nothing was written`);
    }
    writeFilePrivately(path, utf8(text), { replace: true });
    return path;
  } finally {
    wipe(rootKey, opened);
  }
}

/** Rejects a file of another user, because the owner could not read the new file. */
function checkOwner(path: string): void {
  const { uid } = statSync(path);
  if (uid === process.getuid?.()) return;
  throw new UnusableDataError(`${path} belongs to user ${uid}: run the command as that user`);
}

/** Opens a sealed file into a file of 32 raw bytes, and verifies it. */
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
