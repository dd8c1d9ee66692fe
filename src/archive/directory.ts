// The folder of an archive. A segment is durable under the name `000001.moving` before its first row is
// deleted. After its last row is deleted, its name is `000001.segment`.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  openDataDirectory,
  syncDirectory,
  writeFilePrivately,
} from '../store/data_directory/data_directory.ts';
import { type SegmentContent, SegmentRefusedError } from './segment.ts';

/** A file of the archive. With `isMoving`, its rows may still be in the database. */
export type SegmentFile = {
  readonly name: string;
  readonly number: number;
  readonly isMoving: boolean;
};

export type ArchiveDirectory = {
  readonly path: string;
  /** Lists the files by number. Raises SegmentRefusedError if a number is missing. */
  files(): readonly SegmentFile[];
  /** Keeps a file open while `use` runs. Raises SegmentRefusedError unless it is a plain file. */
  read<Result>(file: SegmentFile, use: (content: SegmentContent) => Result): Result;
  /** Writes a segment durably under its `moving` name. */
  write(number: number, bytes: Uint8Array): SegmentFile;
  /** Gives a file its final name, durably. */
  finish(file: SegmentFile): void;
  close(): void;
};

const segmentName = /^(\d{6,})\.(segment|moving)$/;
/** The temporary name that `writeFilePrivately` uses. */
const unfinishedName = /^\d{6,}\.moving\.[0-9a-f]{16}\.tmp$/;

/** Returns a number with at least six digits, so names sort by number. */
export function segmentNumberText(number: number): string {
  return String(number).padStart(6, '0');
}

/**
 * Creates the folder (0700) if it is missing, and owns it until `close`, so only one command works on it at a
 * time. Raises UnusableDataError if another process owns it.
 */
export function openArchiveDirectory(path: string): ArchiveDirectory {
  const owned = openDataDirectory(path);
  const directory = owned.path;
  // Deletes only temporary files that a killed command left.
  for (const name of readdirSync(directory)) {
    if (unfinishedName.test(name)) rmSync(join(directory, name));
  }
  return {
    path: directory,
    files: () => {
      const found = readdirSync(directory).flatMap((name) => {
        const [, number, state] = segmentName.exec(name) ?? [];
        if (number === undefined) return [];
        return [{ name, number: Number(number), isMoving: state === 'moving' }];
      });
      const files = found.sort((a, b) => a.number - b.number);
      for (const [i, { name, number }] of files.entries()) {
        if (number === i + 1) continue;
        const missing = `${segmentNumberText(i + 1)}.segment`;
        throw new SegmentRefusedError(missing, `it is missing, the next file is ${name}`);
      }
      return files;
    },
    read: ({ name }, use) => readFile(name, join(directory, name), use),
    write: (number, bytes) => {
      const name = `${segmentNumberText(number)}.moving`;
      writeFilePrivately(join(directory, name), bytes);
      return { name, number, isMoving: true };
    },
    finish: ({ name, number }) => {
      renameSync(join(directory, name), join(directory, `${segmentNumberText(number)}.segment`));
      syncDirectory(directory);
    },
    close: owned.close,
  };
}

function readFile<Result>(
  name: string,
  path: string,
  use: (content: SegmentContent) => Result,
): Result {
  // Opening a pipe without a writer would block the process.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new SegmentRefusedError(name, 'it is not a regular file');
    return use({
      length: status.size,
      read: (first, length) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, status.size - first)));
        let filled = 0;
        while (filled < bytes.length) {
          const count = readSync(file, bytes, filled, bytes.length - filled, first + filled);
          if (count === 0) break;
          filled += count;
        }
        return bytes.subarray(0, filled);
      },
    });
  } finally {
    closeSync(file);
  }
}
