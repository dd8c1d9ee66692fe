// Units of a run: the files that one process tests, and the order of the units.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { KnownSeconds } from './known_seconds.ts';

/** Files that one process tests, one after the other. */
export type Unit = { readonly folder: string; readonly files: readonly string[] };

/** Folders of tests that share a process: each is one unit, without the files of `needsOwnProcess`. */
const sharing: ReadonlySet<string> = new Set([
  'architecture',
  'client',
  'conformance',
  'core',
  'enclave',
  'freezes',
  'hostile',
  'museum',
  'operations',
  'pipeline',
  'policy_reference',
  'standards',
  'transactions',
  'votes',
]);

/** Units that take longer start first, so that no core is left without work at the end. */
const longSeconds = 10;

/** Estimates the seconds of a file without a stored time by its length. */
const bytesPerSecond = 2_000;

/** Returns the folder of a file below `test/`, the first part of its path. */
export function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/**
 * Matches code that requires a separate process. Hooks of a file around each of its tests would also run
 * around the tests of others. Files that start processes or servers run by themselves, so that leftover
 * processes can be attributed. `queryObjects` searches the heap, which would hold the objects of all files.
 */
const needsOwnProcess =
  /\b(before|after)Each\b|child_process|enclave_process|postgres_server|sandbox|\/service\.ts'|queryObjects/;

/** Returns true if a file shares its process with others of its folder. */
export function sharesProcess(file: string): boolean {
  return sharing.has(folderOf(file)) && !needsOwnProcess.test(readFileSync(file, 'utf8'));
}

/**
 * Returns the units of files in the order in which they start: the longest first, or with `shuffle` in an
 * order drawn by that text, the long ones before the others.
 */
export function unitsOf(
  files: readonly string[],
  { shuffle, known }: { readonly shuffle?: string | undefined; readonly known: KnownSeconds },
): readonly Unit[] {
  const together = Map.groupBy(files.filter(sharesProcess), folderOf);
  const units = [
    ...[...together].map(([folder, shared]) => ({ folder, files: ordered(shared, shuffle) })),
    ...files
      .filter((file) => !sharesProcess(file))
      .map((file) => ({ folder: folderOf(file), files: [file] })),
  ];
  const seconds = (unit: Unit) => sum(unit.files.map((file) => secondsOf(file, known)));
  const rank = (unit: Unit) => drawn(unit.files[0] ?? '', shuffle ?? '');
  return units.toSorted((a, b) => {
    if (shuffle === undefined) return seconds(b) - seconds(a);
    const long = Number(seconds(b) >= longSeconds) - Number(seconds(a) >= longSeconds);
    return long !== 0 ? long : rank(a).localeCompare(rank(b));
  });
}

function ordered(files: readonly string[], shuffle: string | undefined): readonly string[] {
  if (shuffle === undefined) return files;
  return files.toSorted((a, b) => drawn(a, shuffle).localeCompare(drawn(b, shuffle)));
}

function drawn(file: string, text: string): string {
  return createHash('sha256').update(`${text}/${file}`).digest('hex');
}

function secondsOf(file: string, known: KnownSeconds): number {
  return known[file] ?? statSync(file).size / bytesPerSecond;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
