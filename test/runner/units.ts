// Units of a run: the files that one process tests, and the order of the units.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { KnownSeconds } from './known_seconds.ts';

/** Files that one process tests, one after the other. */
export type Unit = { readonly folder: string; readonly files: readonly string[] };

/** Folders of tests that share a process: each is one unit, without the files of `needsOwnProcess`. */
const sharing: ReadonlySet<string> = new Set([
  'architecture',
  'cli',
  'client',
  'conformance',
  'core',
  'dashboard',
  'enclave',
  'external_keys',
  'freezes',
  'gateway',
  'hostile',
  'ipc',
  'limits',
  'museum',
  'operations',
  'organization_keys',
  'pipeline',
  'policy_reference',
  'receipts',
  'standards',
  'store',
  'transactions',
  'votes',
]);

/** Units that take longer start before the others, longest first, so that no core is idle at the end. */
const longSeconds = 4;

/** Estimates the seconds of a file without a stored time by its length. */
const bytesPerSecond = 2_000;

/** Returns the folder of a file below `test/`, the first part of its path. */
export function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/**
 * Matches code that requires a separate process. Files that start processes or servers run by themselves, so
 * that leftover processes can be attributed. `queryObjects` searches the heap, which would hold the objects
 * of all files.
 */
const needsOwnProcess =
  /child_process|(enclave_process|compiled_enclave|postgres_server)|sandbox|(\/|running_|dev_)service\.ts'|\/(anvil|dashboard|browser)\.ts'|queryObjects|tests_that_need/;
/** Hooks of a file do not run around the tests of its suites, see `file_hooks.ts`. */
const hasHook = /^(before|after)Each\(/m;
const hasSuite = /^(describe|suite)\b/m;

/** Returns true if a file shares its process with others of its folder. */
export function sharesProcess(file: string): boolean {
  if (!sharing.has(folderOf(file))) return false;
  const text = readFileSync(file, 'utf8');
  return !needsOwnProcess.test(text) && !(hasHook.test(text) && hasSuite.test(text));
}

/**
 * Returns the units of files in their starting order: the longest first. The text `shuffle` draws the order
 * of short units, and of the files within a unit.
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
  const isDrawn = (unit: Unit) => shuffle !== undefined && seconds(unit) < longSeconds;
  return units.toSorted((a, b) =>
    isDrawn(a) && isDrawn(b) ? rank(a).localeCompare(rank(b)) : seconds(b) - seconds(a),
  );
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
