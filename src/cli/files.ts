// Files of people: read within a bound, and written for their owner alone.

import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, usage } from './failures.ts';

const accessOfOthers = 0o077;
const maximumBytes = 4 * 1024 * 1024;

/** The bytes of a file. Raises `usage` where it is not there, cannot be read or is too long. */
export async function readFileBounded(path: string, limit = maximumBytes): Promise<Uint8Array> {
  return withFile(path, async (file) => {
    const { size } = await file.stat();
    if (size > limit) throw usage(`${path} has ${size} bytes, at most ${limit} are read`);
    return await file.readFile();
  });
}

/** The same for a file of a secret: refused where anybody but its owner may read it. */
export async function readPrivateFile(path: string): Promise<Uint8Array> {
  return withFile(path, async (file) => {
    const { mode } = await file.stat();
    if ((mode & accessOfOthers) !== 0 && process.platform !== 'win32') {
      throw new Failure({
        exit: 'usage',
        code: 'file_open_to_others',
        message: `${path} can be read by others than its owner (mode ${(mode & 0o777).toString(8)}).`,
        next: `chmod 600 ${quoted(path)}`,
      });
    }
    return await file.readFile();
  });
}

async function withFile<R>(
  path: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<R>,
): Promise<R> {
  let file: Awaited<ReturnType<typeof open>>;
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
    await file.close();
  }
}

/**
 * Writes a file (0600), durable when this returns. Never over one that exists unless `replaces` is set,
 * and then in one step: a crash leaves the old one or the new one.
 */
export async function writePrivateFile(
  path: string,
  bytes: Uint8Array,
  { replaces = false } = {},
): Promise<void> {
  const target = replaces ? `${path}.${process.pid}.new` : path;
  const file = await openNew(target);
  try {
    await file.writeFile(bytes);
    await file.sync();
    if (replaces) await rename(target, path);
  } catch (error) {
    await rm(target, { force: true });
    throw isSystemError(error) ? unwritable(path, error) : error;
  } finally {
    await file.close();
  }
}

/** A file that is not there yet, held for what comes later. */
export type ReservedFile = {
  /** Writes the content, durable when this returns. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Closes the file, and removes it unless it was written. */
  readonly release: () => Promise<void>;
};

/**
 * Makes an empty file (0600) before something is done that cannot be repeated, so that its place is known
 * to be free and writable. Raises like `writePrivateFile`.
 */
export async function reservePrivateFile(path: string): Promise<ReservedFile> {
  const file = await openNew(path);
  let isWritten = false;
  return {
    write: async (bytes) => {
      await file.writeFile(bytes);
      await file.sync();
      isWritten = true;
    },
    release: async () => {
      await file.close();
      if (!isWritten) await rm(path, { force: true });
    },
  };
}

async function openNew(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    const file = await open(path, 'wx', 0o600);
    // The mode of `open` is narrowed by the umask only; this one holds under any.
    await file.chmod(0o600);
    return file;
  } catch (error) {
    if (isSystemError(error)) throw unwritable(path, error);
    throw error;
  }
}

function unwritable(path: string, error: SystemError): Failure {
  if (error.code !== 'EEXIST') return usage(`cannot write ${path}: ${reasonOf(error)}`);
  return new Failure({
    exit: 'conflict',
    code: 'file_exists',
    message: `${path} exists, and is never written over.`,
    next: 'Name another file, or move that one away.',
  });
}

/** Makes the directory (0700) of a file, and those above it. */
export async function makePrivateDirectoryOf(path: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
}

/** A text as a shell reads it. */
export function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a failure says that a file is not there. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'file_missing';

function unreadable(path: string, error: unknown): Failure {
  const isMissing = isSystemError(error) && error.code === 'ENOENT';
  return new Failure({
    exit: 'usage',
    code: isMissing ? 'file_missing' : 'file_unreadable',
    message: `cannot read ${path}: ${reasonOf(error)}`,
  });
}

type SystemError = Error & { readonly code: string };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access is denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
};

function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return String(error);
  return reasons[error.code] ?? error.message;
}
