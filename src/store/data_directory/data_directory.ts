// The directory of the root key and the embedded database: its owner, and safe writes of its files.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hex, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import { UnusableDataError } from '../unusable_data_error.ts';
import { readSecretFile } from './secret_file.ts';

type DataDirectory = {
  /** The absolute path. */
  readonly path: string;
  /** Releases the directory; further calls do nothing. */
  close(): void;
};

export const rootKeyLengthBytes = 32;
const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * Creates the directory (0700) if it is missing, and owns it until `close` or the end of the process.
 * @throws UnusableDataError if another process owns it, or it cannot be used safely.
 */
export function openDataDirectory(path: string): DataDirectory {
  const absolutePath = resolve(path);
  makeDataDirectory(absolutePath);
  const lock = takeOwnership(absolutePath);
  return {
    path: absolutePath,
    close: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Writes a whole file that only its owner can read or write (0600 under any umask). After a crash the file
 * has its old or its new content; after the return it survives a loss of power.
 * @throws UnusableDataError if the file exists and `replace` is not set.
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
    // Unlike a rename, a link does not replace a file that appeared in between.
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

/** Timeout of short operations under a lock. */
const lockTimeoutMs = 10_000;

/**
 * Runs a function while it holds a lock on this file, which is created if it is missing, and kept.
 * @throws UnusableDataError if another process holds the lock for 10 seconds, or the file cannot be created.
 */
export function withFileLock<Result>(path: string, run: () => Result): Result {
  const lock = takeLock(path, path, lockTimeoutMs);
  try {
    return run();
  } finally {
    lock.close();
  }
}

/**
 * Locks the file at a path until `close` or the end of the process. Creates a missing file, and keeps it.
 * @throws UnusableDataError that names `what` if another process has the lock or the file cannot be created.
 */
export function lockFile(path: string, what: string): { close(): void } {
  return takeLock(path, what, 0);
}

/** Creates an empty file (0600 under any umask, durable) unless it exists. */
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
 * Reads the root key of 32 raw bytes, and creates a missing file from `random`. The caller wipes the result.
 * @throws UnusableDataError if the file has another length or is open to other users.
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

/** Reads the 32 bytes of the root key, the caller's to wipe; undefined if the file is missing. */
export function readRootKey(path: string): Uint8Array | undefined {
  const read = readSecretFile({ path, what: 'the root key', maximumBytes: rootKeyLengthBytes });
  if (read === undefined || read.bytes.length === rootKeyLengthBytes) return read?.bytes;
  wipe(read.bytes);
  throw new UnusableDataError(
    `the root key ${path} must hold exactly ${rootKeyLengthBytes} raw bytes, it holds ${read.sizeBytes}`,
  );
}

/**
 * Creates a directory (0700) and its missing parents.
 * @throws UnusableDataError if that fails, or if every user can write to it.
 */
export function makeDataDirectory(path: string): void {
  try {
    // The umask may have cleared bits.
    if (makeDirectories(path)) chmodSync(path, 0o700);
  } catch (error) {
    throw new UnusableDataError(
      `the data directory ${path} cannot be created: ${codeOf(error) ?? 'unknown error'}`,
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
 * Creates a directory and its missing parents, durably; returns whether it was missing. Node's own function
 * never returns for a directory that permits no children (`/proc`, automounted folders).
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
 * Locks a file by an exclusive transaction. The operating system releases the lock when the process ends,
 * even by a kill. No other code of this process may open the file, because closing any descriptor of it would
 * release the lock.
 */
function takeOwnership(directory: string): DatabaseSync {
  return takeLock(join(directory, 'owner.lock'), `the data directory ${directory}`, 0);
}

function takeLock(path: string, what: string, timeoutMs: number): DatabaseSync {
  const lock = new DatabaseSync(path, { open: false, timeout: timeoutMs });
  try {
    createEmptyPrivately(path);
    lock.open();
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (lock.isOpen) lock.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDataError(
      reason === 'database is locked'
        ? `${what} is in use by another process`
        : `${what} cannot be locked: ${reason}`,
    );
  }
  return lock;
}

/** Throws EEXIST for an existing file, which is never opened. */
function createPrivately(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    // The umask may have cleared bits.
    fchmodSync(file, 0o600);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs the entries of a directory, because a synced file can still lose its name. */
export function syncDirectory(path: string): void {
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
