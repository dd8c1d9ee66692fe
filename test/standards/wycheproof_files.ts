// Reads the files of Project Wycheproof, and compares the answers of a function with theirs.

import assert from 'node:assert/strict';
import { readVectors } from './vector_files.ts';

export type WycheproofTest = { tcId: number; comment: string; flags: string[]; result: string };
export type WycheproofFile<Group> = { numberOfTests: number; testGroups: Group[] };

/** A test with another result than in the file, on purpose. */
export type Deviation = { tcId: number; flag: string; comment: string };

export function readWycheproof<Group>(name: string): WycheproofFile<Group> {
  return readVectors(`wycheproof/${name}_test.json`);
}

/**
 * Runs `accepts` on every test of a file. The results may differ from the file only in the listed
 * deviations.
 */
export function checkAll<Group extends { tests: Test[] }, Test extends WycheproofTest>(
  file: WycheproofFile<Group>,
  deviations: readonly Deviation[],
  accepts: (group: Group, test: Test) => boolean,
): void {
  const found: Deviation[] = [];
  let count = 0;
  for (const group of file.testGroups) {
    for (const test of group.tests) {
      count += 1;
      if (accepts(group, test) !== (test.result === 'valid')) {
        found.push({ tcId: test.tcId, flag: test.flags.join(), comment: test.comment });
      }
    }
  }
  assert.deepEqual(found, deviations);
  assert.equal(count, file.numberOfTests);
}
