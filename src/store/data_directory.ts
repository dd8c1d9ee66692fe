// The directory that holds the root key and the embedded database: who owns it, and how its files
// are written.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hex, wipe } from '../core/base/bytes.ts';
import { assert } from '../core/errors/errors.ts';
import { UnusableDataError } from './unusable_data_error.ts';

export type DataDirectory = {
  /** Absolute. */
  readonly path: string;
  /** Gives the directory up; further calls do nothing. */
  close(): void;
};

const rootKeyLengthBytes = 32;
const accessOfOthers = 0o077;
const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * Makes the directory (0700) where it is missing and owns it until `close` or the end of the
 * process, however that ends.
 * @throws UnusableDataError when another process owns it, or it cannot be used safely.
 */
export function openDataDirectory(path: string): DataDirectory {
  const absolutePath = resolve(path);
  makeDirectory(absolutePath);
  const lock = takeOwnership(absolutePath);
  return {
    path: absolutePath,
    close: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Writes a whole file that only its owner may read or write (0600 under any umask). A crash leaves
 * the file as it was or as it shall be, and after the return it outlives a loss of power.
 * @throws UnusableDataError when the file exists and `replace` is not set.
 */
export function writeFilePrivately(
  path: string,
  bytes: Uint8Array,
  { replace = false }: { readonly replace?: boolean } = {},
): void {
  const temporaryPath = `${path}.${hex(randomBytes(8))}.tmp`;
  try {
    createPrivately(temporaryPath, bytes);
    if (replace) renameSync(temporaryPath, path);
    // Unlike a rename, a link refuses to take the place of a file that appeared meanwhile.
    else linkSync(temporaryPath, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new UnusableDataError(`${path} exists already and is not overwritten`);
    }
    throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  syncDirectory(dirname(path));
}

/** Makes an empty file (0600 under any umask, durable) unless there is one. */
export function createEmptyPrivately(path: string): void {
  try {
    createPrivately(path, new Uint8Array(0));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  syncDirectory(dirname(path));
}

/**
 * The root key: the 32 raw bytes of the file, which is made from `random` where it is missing. The
 * caller wipes the result.
 * @throws UnusableDataError when the file has another length or is open to other users.
 */
export function readOrCreateRootKey(
  path: string,
  random: (lengthBytes: number) => Uint8Array,
): Uint8Array {
  const existing = readRootKey(path);
  if (existing !== undefined) return existing;
  const rootKey = random(rootKeyLengthBytes);
  assert(rootKey.length === rootKeyLengthBytes, 'the random source gives what was asked');
  writeFilePrivately(path, rootKey);
  return rootKey;
}

/** The root key in that file as 32 bytes, the caller's to wipe; undefined where there is no file. */
export function readRootKey(path: string): Uint8Array | undefined {
  const file = openExisting(path);
  if (file === undefined) return undefined;
  try {
    const { mode, size } = fstatSync(file);
    if ((mode & accessOfOthers) !== 0) {
      throw new UnusableDataError(
        `the root key ${path} is open to other users (mode ${modeText(mode)}), close it with: chmod 600 ${path}`,
      );
    }
    // One byte more than a key shows a file that is longer, or that grew since it was measured.
    const bytes = new Uint8Array(rootKeyLengthBytes + 1);
    const length = readSync(file, bytes);
    if (length !== rootKeyLengthBytes) {
      wipe(bytes);
      throw new UnusableDataError(
        `the root key ${path} must hold exactly ${rootKeyLengthBytes} raw bytes, it holds ${size}`,
      );
    }
    // No copy: whoever wipes it wipes all that was read.
    return bytes.subarray(0, rootKeyLengthBytes);
  } finally {
    closeSync(file);
  }
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'EACCES') {
      throw new UnusableDataError(`${path} cannot be read by the user of this process`);
    }
    throw error;
  }
}

function makeDirectory(path: string): void {
  try {
    // The umask may have taken bits away.
    if (makeDirectories(path)) chmodSync(path, 0o700);
  } catch (error) {
    throw new UnusableDataError(
      `the data directory ${path} cannot be made: ${codeOf(error) ?? 'unknown error'}`,
    );
  }
  const { mode } = statSync(path);
  if ((mode & writableByAll) !== 0 && (mode & sticky) === 0) {
    throw new UnusableDataError(
      `the data directory ${path} is writable by every user, close it with: chmod 700 ${path}`,
    );
  }
}

/**
 * Makes a directory and what is missing above it, durably; gives whether it was missing. What Node has
 * for it never ends where a directory that is there lets nothing be made in it (`/proc`, automounted
 * folders).
 */
function makeDirectories(path: string): boolean {
  const parent = dirname(path);
  if (!existsSync(parent)) makeDirectories(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw error;
  }
  syncDirectory(parent);
  return true;
}

/**
 * An open exclusive transaction is a lock of the operating system, which ends with the process even
 * when that is killed. The lock file is opened by nothing else in this process: closing any other
 * descriptor of it would release the lock.
 */
function takeOwnership(directory: string): DatabaseSync {
  const path = join(directory, 'owner.lock');
  const lock = new DatabaseSync(path, { open: false, timeout: 0 });
  try {
    createEmptyPrivately(path);
    lock.open();
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (lock.isOpen) lock.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDataError(
      reason === 'database is locked'
        ? `the data directory ${directory} is in use by another process`
        : `the data directory ${directory} cannot be locked: ${reason}`,
    );
  }
  return lock;
}

/** Fails with EEXIST where there is such a file: it is never opened. */
function createPrivately(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    // The umask may have taken bits away.
    fchmodSync(file, 0o600);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a directory durable: a synced file can still lose its name. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
