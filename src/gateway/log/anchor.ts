// The log anchor: a file outside of the database with the newest checkpoint of the log. It holds no secret.
// An attacker who replaces it by an older checkpoint can have an older database started.

import { dirname, join } from 'node:path';
import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { maximumNoteBytes, readCheckpoint, readNote } from '../../core/log/note.ts';
import { ownerOf } from '../../core/log/origin.ts';
import { withFileLock, writeFilePrivately } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { readBounded } from '../base/read_bounded.ts';

/** Returns the file of the log anchor: the configured one, or one next to the anchor. */
export function logAnchorFileOf(logAnchorFile: string | undefined, anchorFile: string): string {
  return logAnchorFile ?? join(dirname(anchorFile), 'log-anchor.txt');
}

/**
 * Reads the log anchor; undefined without a file.
 * @throws UnusableDataError if the file is unreadable or not a checkpoint.
 */
export function readLogAnchor(file: string): string | undefined {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readBounded(file, maximumNoteBytes);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    throw new UnusableDataError(`the log anchor ${file} cannot be read (${code ?? 'too large'})`);
  }
  const text = textOfUtf8(bytes);
  if (text === undefined || checkpointIn(text) === undefined) {
    throw new UnusableDataError(`the log anchor ${file} does not hold a checkpoint`);
  }
  return text;
}

/** Stores a checkpoint durably, unless the file has a newer one. */
export function raiseLogAnchor(file: string, note: string): void {
  withFileLock(`${file}.lock`, () => {
    const remembered = readLogAnchor(file);
    if (remembered !== undefined && !isNewer(note, remembered)) return;
    writeFilePrivately(file, utf8(note), { replace: true });
  });
}

/** Returns true for a checkpoint of a later epoch with any size, or a larger checkpoint of the same epoch. */
function isNewer(note: string, remembered: string): boolean {
  const [next, last] = [checkpointIn(note), checkpointIn(remembered)];
  if (next === undefined || last === undefined) return false;
  const [nextEpoch, lastEpoch] = [next, last].map(({ origin }) => ownerOf(origin)?.epoch ?? 0);
  if (nextEpoch === undefined || lastEpoch === undefined) return false;
  return nextEpoch > lastEpoch || (nextEpoch === lastEpoch && next.size > last.size);
}

function checkpointIn(text: string) {
  const note = readNote(text);
  return note && readCheckpoint(note.text);
}
