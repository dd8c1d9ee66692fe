// Loads the files of a unit. Node runs the tests that were defined before an error, and drops the error.

import { test } from 'node:test';
import { beginFile } from './file_hooks.ts';
import { report } from './report.ts';

/**
 * Loads a file of tests. A file that fails while it loads becomes a test that fails. Hooks of a file that is
 * alone in its process stay with node:test, which also runs them around the tests of suites.
 */
export async function load(file: string, url: string, isAlone: boolean): Promise<void> {
  if (!isAlone) beginFile();
  try {
    await import(url);
  } catch (error) {
    test(`${file} loads`, () => {
      throw error;
    });
  }
}

/** Reports that all files were loaded. A run that ends before has left out tests. */
export function loaded(): void {
  report({ kind: 'loaded' });
}
