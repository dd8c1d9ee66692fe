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
  try {
    const file = await open(target, 'wx', 0o600);
    try {
      // The mode of `open` is narrowed by the umask only; this one holds under any.
      await file.chmod(0o600);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replaces) await rename(target, path);
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') {
      throw new Failure({
        exit: 'conflict',
        code: 'file_exists',
        message: `${path} exists, and is never written over.`,
        next: 'Name another file, or move that one away.',
      });
    }
    if (target !== path || !isSystemError(error)) await rm(target, { force: true });
    if (isSystemError(error)) throw usage(`cannot write ${path}: ${reasonOf(error)}`);
    throw error;
  }
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
