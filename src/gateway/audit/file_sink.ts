// Writes the audit trail to a file: appends, and flushes to the disk before lines count as written. The file
// is opened for each write, so that after a rename a new file begins.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { type AuditSink, AuditSinkError } from './sink.ts';

const newline = 0x0a;
const lineBegins = Buffer.from('{"number":');
/** Longer than any line, so that the search for an unfinished line covers all of it. */
const maximumLineBytes = 4 * 1024 * 1024;
const openToOthers = 0o027;

/** Opens a file as destination. Raises UnusableDataError if the file cannot be appended to. */
export function openFileSink(path: string): AuditSink {
  try {
    append(path, new Uint8Array(0));
  } catch (error) {
    throw new UnusableDataError(`the audit file ${path} cannot be used: ${messageOf(error)}`);
  }
  return {
    kind: 'file',
    name: path,
    write: async (lines) => {
      try {
        append(path, lines);
      } catch (error) {
        throw new AuditSinkError(messageOf(error));
      }
    },
    close: () => undefined,
  };
}

/** Appends and flushes lines. First removes a last line that a crash cut short. */
function append(path: string, lines: Uint8Array): void {
  const file = openOrMake(path);
  try {
    const { size, mode } = fstatSync(file);
    if ((mode & openToOthers) !== 0) {
      throw new Error(`it is open to other users, close it with: chmod 600 ${path}`);
    }
    removeUnfinishedLine(file, size);
    for (let written = 0; written < lines.length; ) {
      written += writeSync(file, lines, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function openOrMake(path: string): number {
  // Opening a pipe without a reader would block the process; the check below rejects pipes.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK;
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    file = openSync(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600);
    fchmodSync(file, 0o600);
    syncName(path);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error('it is not a regular file');
}

/** A new name is durable only once its directory is flushed. */
function syncName(path: string): void {
  const directory = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Removes an unfinished line, which never counted as written and is written again. */
function removeUnfinishedLine(file: number, size: number): void {
  const lastByte = Buffer.alloc(1);
  if (size === 0 || (readSync(file, lastByte, 0, 1, size - 1) === 1 && lastByte[0] === newline)) {
    return;
  }
  const length = Math.min(size, maximumLineBytes);
  const end = Buffer.alloc(length);
  readSync(file, end, 0, length, size - length);
  const begin = end.lastIndexOf(newline) + 1;
  const unfinished = end.subarray(begin);
  const compared = Math.min(unfinished.length, lineBegins.length);
  const isLine = lineBegins.subarray(0, compared).equals(unfinished.subarray(0, compared));
  if (!isLine) throw new Error('its last line is not a line of the audit trail');
  ftruncateSync(file, size - unfinished.length);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
