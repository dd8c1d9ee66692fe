// Stores the seconds that each file took in the last runs on this machine, so that the longest starts first.
// A new clone uses the seconds of long files that the repository stores.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type KnownSeconds = Readonly<Record<string, number>>;

/** The repository stores only longer files, because the length of shorter files is a good estimate. */
const leastSeconds = 8;

const usualPath = join(import.meta.dirname, 'usual_seconds.json');
const path = join(import.meta.dirname, '../../node_modules/.cache/keywright_test_seconds.json');

/** Returns the seconds of the last runs, and the repository's seconds for long files without a run. */
export function readKnownSeconds(): KnownSeconds {
  return { ...JSON.parse(readFileSync(usualPath, 'utf8')), ...readLastSeconds() };
}

function readLastSeconds(): KnownSeconds {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // No run has stored its seconds yet.
    return {};
  }
}

/** Stores the seconds of the files of a run beside those of earlier runs. */
export function writeKnownSeconds(seconds: KnownSeconds): void {
  mkdirSync(dirname(path), { recursive: true });
  // Concurrent runs each replace the whole file.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ ...readLastSeconds(), ...seconds }));
  renameSync(temporary, path);
}

/** Stores the seconds of the long files of a whole run in the repository. */
export function writeUsualSeconds(seconds: KnownSeconds): void {
  const long = Object.entries(seconds).flatMap(([file, own]) =>
    own < leastSeconds ? [] : [[file, Math.round(own)] as const],
  );
  const sorted = Object.fromEntries(long.toSorted(([a], [b]) => a.localeCompare(b)));
  writeFileSync(usualPath, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
