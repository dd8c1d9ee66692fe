// Reads files with a maximum size, and writes private files.

import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Failure, usage } from '../words/failures.ts';
import {
  chmod,
  close,
  fchmod,
  fstat,
  fsync,
  mkdir,
  open,
  read,
  rename,
  rm,
  writeFile,
} from './file_calls.ts';

const accessOfOthers = 0o077;
const writableByOthers = 0o022;
const maximumBytes = 4 * 1024 * 1024;
const partBytes = 65_536;

/** Returns the bytes of a file. Throws `usage` if the file is missing, unreadable or too long. */
export async function readFileBounded(path: string, limit = maximumBytes): Promise<Uint8Array> {
  return withFile(path, (file) => readBounded(file, path, limit));
}

/**
 * Reads a file that contains a secret. Throws if other users can read or write it. If `isNamed` is false,
 * also throws if another user owns it.
 */
export async function readPrivateFile(
  path: string,
  limit = maximumBytes,
  { isNamed = true } = {},
): Promise<Uint8Array> {
  return withFile(path, async (file) => {
    // Check the open descriptor, because the path could be replaced after the check.
    const { mode, uid } = await fstat(file);
    const own = process.geteuid?.();
    if (!isNamed && own !== undefined && uid !== own && uid !== 0) {
      throw new Failure({
        exit: 'usage',
        code: 'file_of_another_user',
        message: `${path} belongs to another user, and was not named.`,
        next: `To use it nevertheless: --credentials ${quoted(path)}`,
      });
    }
    if ((mode & accessOfOthers) !== 0 && process.platform !== 'win32') {
      throw new Failure({
        exit: 'usage',
        code: 'file_open_to_others',
        message: `${path} can be read by others than its owner (mode ${(mode & 0o777).toString(8)}).`,
        next: `chmod 600 ${quoted(path)}`,
      });
    }
    return await readBounded(file, path, limit);
  });
}

/**
 * Reads a file that names programs to run. Throws if any user but root and the user of this process owns the
 * file or can write it.
 */
export async function readFileOfOwner(path: string): Promise<Uint8Array> {
  return withFile(path, async (file) => {
    const { mode, uid } = await fstat(file);
    const own = process.geteuid?.();
    const isForeign = own !== undefined && uid !== own && uid !== 0;
    if (isForeign || ((mode & writableByOthers) !== 0 && process.platform !== 'win32')) {
      throw new Failure({
        exit: 'usage',
        code: 'file_writable_by_others',
        message: `${path} names programs, and other users own or can write it (mode ${(mode & 0o777).toString(8)}).`,
        next: `chown root ${quoted(path)} && chmod go-w ${quoted(path)}`,
      });
    }
    return await readBounded(file, path, maximumBytes);
  });
}

/** Like `readPrivateFile`, but returns a text. */
export async function readPrivateText(path: string, options = { isNamed: true }): Promise<string> {
  const bytes = await readPrivateFile(path, maximumBytes, options);
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return text;
}

/** Reads the whole file regardless of its reported size, because pipes and devices report none. */
async function readBounded(file: number, path: string, limit: number): Promise<Uint8Array> {
  const { size } = await fstat(file);
  const tooLong = () => usage(`${path} has more than ${limit} bytes, the maximum`);
  if (size > limit) throw tooLong();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = new Uint8Array(new ArrayBuffer(Math.min(limit + 1, partBytes)));
    const { bytesRead } = await read(file, { buffer: part });
    if (bytesRead === 0) break;
    length += bytesRead;
    if (length > limit) throw tooLong();
    parts.push(part.subarray(0, bytesRead));
  }
  const bytes = Buffer.concat(parts);
  // The parts may contain a secret, so wipe them.
  for (const part of parts) part.fill(0);
  return bytes;
}

async function withFile<R>(path: string, use: (file: number) => Promise<R>): Promise<R> {
  let file: number;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    return await use(file);
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(path, error);
  } finally {
    await close(file);
  }
}

/**
 * Writes a private file (0600) durably. Throws if the file exists, unless `replaces` is set; then it replaces
 * the file atomically.
 */
export async function writePrivateFile(
  path: string,
  bytes: Uint8Array,
  { replaces = false } = {},
): Promise<void> {
  const target = replaces ? `${path}.${process.pid}.new` : path;
  // A killed command with the same process id may have left a partial file.
  if (replaces) await rm(target, { force: true });
  const file = await openNew(target);
  try {
    await writeFile(file, bytes);
    await fsync(file);
    if (replaces) await rename(target, path);
    await syncDirectoryOf(path);
  } catch (error) {
    await rm(target, { force: true });
    throw isSystemError(error) ? unwritable(path, error) : error;
  } finally {
    await close(file);
  }
}

/** An empty file, created before its content is known. */
export type ReservedFile = {
  /** Writes the content durably. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Closes the file, and removes it if it was not written. */
  readonly release: () => Promise<void>;
};

/**
 * Creates an empty file (0600) before an operation that cannot be repeated, so that a bad path fails early.
 * Throws like `writePrivateFile`.
 */
export async function reservePrivateFile(path: string): Promise<ReservedFile> {
  const file = await openNew(path);
  let isWritten = false;
  return {
    write: async (bytes) => {
      await writeFile(file, bytes);
      await fsync(file);
      await syncDirectoryOf(path);
      isWritten = true;
    },
    release: async () => {
      await close(file);
      if (!isWritten) await rm(path, { force: true });
    },
  };
}

/** Renames a file within its directory durably. Replaces an existing file. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectoryOf(to);
}

/** Makes the directory entry of a file durable, if the system supports it. */
async function syncDirectoryOf(path: string): Promise<void> {
  // Windows cannot open directories, and persists entries itself.
  if (process.platform === 'win32') return;
  const directory = await open(dirname(path), 'r');
  try {
    await fsync(directory);
  } finally {
    await close(directory);
  }
}

const lockPauseMs = 20;
const longestLockMs = 5_000;

/**
 * Runs `work` while no other command changes this file. Keep the work short. Throws `usage` if another
 * command holds the lock for seconds, for example a lock that a killed command left.
 */
export async function whileLocked<R>(path: string, work: () => Promise<R>): Promise<R> {
  const lock = `${path}.lock`;
  for (let waitedMs = 0; ; waitedMs += lockPauseMs) {
    const file = await open(lock, 'wx', 0o600).catch((error: unknown) => {
      if (isSystemError(error) && error.code === 'EEXIST') return undefined;
      throw isSystemError(error) ? unwritable(lock, error) : error;
    });
    if (file !== undefined) {
      await close(file);
      break;
    }
    if (waitedMs >= longestLockMs) {
      throw usage(
        `another keywright uses ${lock}`,
        `If no other keywright runs, delete the file that a killed process left: rm ${quoted(lock)}`,
      );
    }
    await setTimeout(lockPauseMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function openNew(path: string): Promise<number> {
  try {
    const file = await open(path, 'wx', 0o600);
    // Set the mode again, because the umask may have removed bits of the mode of `open`.
    await fchmod(file, 0o600);
    return file;
  } catch (error) {
    if (isSystemError(error)) throw unwritable(path, error);
    throw error;
  }
}

function unwritable(path: string, error: SystemError): Failure {
  if (error.code === 'ENOENT') {
    const folder = dirname(path);
    return usage(`cannot write ${path}: its folder does not exist`, `mkdir -p ${quoted(folder)}`);
  }
  if (error.code !== 'EEXIST') {
    return usage(`cannot write ${path}: ${reasonOf(error)}`, 'Name a file that you may write.');
  }
  return new Failure({
    exit: 'conflict',
    code: 'file_exists',
    message: `${path} exists, and is never written over.`,
    next: 'Name another file, or rename the existing one.',
  });
}

/** Creates the directory of a file with mode 0700, and missing parent directories. */
export async function makePrivateDirectoryOf(path: string): Promise<void> {
  const directory = dirname(path);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
  } catch (error) {
    throw usage(`cannot create ${directory}: ${reasonOf(error)}`);
  }
}

/**
 * Quotes a text for a shell. Escapes invisible and control characters as octal bytes in `$'…'` (POSIX.1-2024,
 * section 2.2.4), which bash, zsh and ksh support.
 */
export function quoted(text: string): string {
  if (/^[\w./:@%+,=-]+$/.test(text)) return text;
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const coded = text.replace(/['\\]|[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, (character) =>
    unseen.test(character) ? octalBytes(character) : `\\${character}`,
  );
  return `$'${coded}'`;
}

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/u;

const octalBytes = (character: string): string =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');

/** Returns true if the failure reports a missing file. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'file_missing';

function unreadable(path: string, error: unknown): Failure {
  const isMissing = isSystemError(error) && error.code === 'ENOENT';
  return new Failure({
    exit: 'usage',
    code: isMissing ? 'file_missing' : 'file_unreadable',
    message: `cannot read ${path}: ${reasonOf(error)}`,
    next: `Name a file that you may read; here it means ${resolve(path)}.`,
  });
}

type SystemError = Error & { readonly code: string };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'access is denied',
  EISDIR: 'it is a directory',
  EPERM: 'it belongs to another user',
  EROFS: 'the file system cannot be written',
  EEXIST: 'a file has its name',
  ENOTDIR: 'a part of its path is not a directory',
};

function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return String(error);
  return reasons[error.code] ?? error.message;
}
