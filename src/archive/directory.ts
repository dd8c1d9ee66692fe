// The folder of an archive. A segment is durable under the name `000001.moving` before a row of it is
// deleted, and is called `000001.segment` once all of them are.

import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDirectory, syncDirectory, writeFilePrivately } from '../store/data_directory.ts';
import { SegmentRefusedError } from './segment.ts';

/** A file of the archive; `isMoving`: its rows may still be in the database, too. */
export type SegmentFile = {
  readonly name: string;
  readonly number: number;
  readonly isMoving: boolean;
};

export type ArchiveDirectory = {
  readonly path: string;
  /** In the order of their numbers. Raises SegmentRefusedError where one is missing. */
  files(): readonly SegmentFile[];
  read(file: SegmentFile): Uint8Array;
  /** Writes a segment durably, as one that is being moved. */
  write(number: number, bytes: Uint8Array): SegmentFile;
  /** Returns it its last name, durably. */
  finish(file: SegmentFile): void;
  close(): void;
};

const segmentName = /^(\d{6,})\.(segment|moving)$/;

/** Six digits or more, so that names come in the order of their numbers. */
export function segmentNumberText(number: number): string {
  return String(number).padStart(6, '0');
}

/**
 * Creates the folder (0700) where it is missing and owns it until `close`, so that one command at a time
 * works on it. Raises UnusableDataError where another process owns it.
 */
export function openArchiveDirectory(path: string): ArchiveDirectory {
  const owned = openDataDirectory(path);
  const directory = owned.path;
  // Deletes files that a killed command left before they were whole.
  for (const name of readdirSync(directory)) {
    if (name.endsWith('.tmp')) rmSync(join(directory, name));
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
        throw new SegmentRefusedError(missing, `it is missing, the folder goes on with ${name}`);
      }
      return files;
    },
    read: ({ name }) => Uint8Array.from(readFileSync(join(directory, name))),
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
