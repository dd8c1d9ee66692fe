// Defines the lines that a test process writes for the run: JSON over a separate descriptor, because tests
// print.

import { writeSync } from 'node:fs';

/** The descriptor of the pipe to the run. */
export const reportDescriptor = 3;

/** One line of a process of tests. */
export type Report =
  | {
      readonly kind: 'test';
      /** Relative to the root of the project. */
      readonly file: string;
      readonly line: number;
      readonly name: string;
      readonly outcome: 'passed' | 'failed' | 'skipped';
      /** The reason for a failure or a skip. */
      readonly reason: string;
      /** The duration of a top-level test; 0 for a test inside another test or suite. */
      readonly seconds: number;
      readonly isSuite: boolean;
    }
  | {
      readonly kind: 'usage';
      readonly own: number;
      readonly children: number;
      readonly processes: number;
    }
  /** All files of the unit are loaded: every test is known. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'end' };

/** Processes that the tests start report nothing. */
const hasRun = process.env['REPORTS_TO_TEST_RUN'] !== undefined;
delete process.env['REPORTS_TO_TEST_RUN'];

/** Writes one line to the run. Without a run, as in a file that was started by itself, it writes none. */
export function report(line: Report): void {
  if (!hasRun) return;
  writeSync(reportDescriptor, `${JSON.stringify(line)}\n`);
}
