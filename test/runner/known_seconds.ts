// Stores the seconds that each file took in the last runs on this machine, so that the longest starts first.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type KnownSeconds = Readonly<Record<string, number>>;

const path = join(import.meta.dirname, '../../node_modules/.cache/keywright_test_seconds.json');

/** Returns what earlier runs stored; empty before the first run, or if the file is not readable. */
export function readKnownSeconds(): KnownSeconds {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** Stores the seconds of the files of a run beside those of earlier runs. */
export function writeKnownSeconds(seconds: KnownSeconds): void {
  mkdirSync(dirname(path), { recursive: true });
  // Concurrent runs each replace the whole file.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ ...readKnownSeconds(), ...seconds }));
  renameSync(temporary, path);
}
