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
/** Files that drive the browser of their process, without suites. Each has its own service and pages. */
const drivesBrowser = /\bdashboardOfThisFile\(/;

/** Processes with a browser. More would start more browsers; fewer would leave a core idle at the end. */
const browserProcesses = 3;

/** Returns true if a file shares its process with others of its folder. */
export function sharesProcess(file: string): boolean {
  if (!sharing.has(folderOf(file))) return false;
  const text = readFileSync(file, 'utf8');
  return !needsOwnProcess.test(text) && !(hasHook.test(text) && hasSuite.test(text));
}

/** Returns true if a file shares its process and the browser with others. */
function sharesBrowser(file: string): boolean {
  return drivesBrowser.test(readFileSync(file, 'utf8'));
}

/**
 * Returns true if the hooks of a file of a unit run around its own tests, see `file_hooks.ts`. Hooks of a
 * file that is alone, or has suites, stay with node:test, which runs the first of them while the file loads.
 */
export function ownsHooks(file: string, unit: readonly string[]): boolean {
  const text = readFileSync(file, 'utf8');
  return !hasSuite.test(text) && (unit.length > 1 || drivesBrowser.test(text));
}

/**
 * Returns the units of files in their starting order: the longest first. The text `shuffle` draws the order
 * of short units, and of the files within a unit.
 */
export function unitsOf(
  files: readonly string[],
  { shuffle, known }: { readonly shuffle?: string | undefined; readonly known: KnownSeconds },
): readonly Unit[] {
  const seconds = (unit: Unit) => sum(unit.files.map((file) => secondsOf(file, known)));
  const inMemory = files.filter(sharesProcess);
  const inBrowser = files.filter(sharesBrowser);
  const units = [
    ...[...Map.groupBy(inMemory, folderOf)].map(([folder, shared]) => ({ folder, files: shared })),
    ...balanced(inBrowser, browserProcesses, (file) => secondsOf(file, known)),
    ...files
      .filter((file) => !inMemory.includes(file) && !inBrowser.includes(file))
      .map((file) => ({ folder: folderOf(file), files: [file] })),
  ].map((unit) => ({ ...unit, files: ordered(unit.files, shuffle) }));
  const rank = (unit: Unit) => drawn(unit.files[0] ?? '', shuffle ?? '');
  const isDrawn = (unit: Unit) => shuffle !== undefined && seconds(unit) < longSeconds;
  return units.toSorted((a, b) =>
    isDrawn(a) && isDrawn(b) ? rank(a).localeCompare(rank(b)) : seconds(b) - seconds(a),
  );
}

/** Distributes files over units that take about as long: the longest first, each to the shortest unit. */
function balanced(
  files: readonly string[],
  count: number,
  secondsOf: (file: string) => number,
): readonly Unit[] {
  const units = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = units.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    shortest.files.push(file);
    shortest.seconds += secondsOf(file);
  }
  return units
    .filter((unit) => unit.files.length > 0)
    .map((unit) => ({ folder: folderOf(unit.files[0] ?? ''), files: unit.files }));
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
