// A reporter of node:test for the end of a long run: which files took longest, then each test that failed
// with its file and why.

import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** As much of an error as helps: stacks of wrapped errors grow long. */
const reasonLength = 4_000;

/** As many files as are told. */
const longestFiles = 25;

/**
 * The text about the files with processes of their own that took longest, in seconds from start to end,
 * and about each failed test; a suite that failed for its tests is not told again.
 */
export default async function* tellEnding(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const files: { readonly name: string; readonly seconds: number }[] = [];
  const failures: string[] = [];
  for await (const event of events) {
    if (event.type === 'test:summary' && event.data.file !== undefined) {
      const { file, duration_ms } = event.data;
      files.push({ name: relative(process.cwd(), file), seconds: duration_ms / 1000 });
    }
    if (event.type === 'test:fail') failures.push(...failureText(event.data));
  }
  if (files.length > 1) yield '\nthe files that took longest:\n';
  const longest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, longestFiles);
  for (const { name, seconds } of longest) {
    yield `${seconds.toFixed(1).padStart(8)} s  ${name}\n`;
  }
  if (failures.length > 0) yield '\nwhat failed:\n';
  yield* failures;
}

function failureText(data: Extract<TestEvent, { type: 'test:fail' }>['data']): string[] {
  const { name, file = '', line, details } = data;
  if (data.todo !== undefined || data.skip !== undefined) return [];
  const error: Error & { failureType?: string } = details.error;
  if (error.failureType === 'subtestsFailed') return [];
  const reason = inspect(error.cause ?? error).slice(0, reasonLength);
  return [`\n✖ ${name}\n  ${file}:${line ?? ''}\n`, `${reason}\n`];
}
