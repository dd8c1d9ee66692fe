// Sends each outcome of node:test to the run.

import { relative } from 'node:path';
import type { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { report } from './report.ts';

type Outcome = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

/** Characters of a reason: stacks of wrapped errors grow long. */
const reasonLength = 4_000;

/** The words of node:test for an error that belongs to no running test. */
const lateError = /asynchronous activity after the test ended/;

/** The place of the test in these words. */
const placeInWords = / at (\S+):(\d+):\d+ generated/;

/** Reports each test that ended, each error that came after its test, then the end of all. */
export function reportEvents(
  stream: ReturnType<typeof run>,
  /** Returns the error that the words of node:test quote. */
  errorIn: (words: string) => unknown,
): void {
  stream.on('test:pass', (data) => reportOutcome({ type: 'test:pass', data }));
  stream.on('test:fail', (data) => reportOutcome({ type: 'test:fail', data }));
  stream.on('test:diagnostic', ({ message }) => {
    if (!lateError.test(message)) return;
    const [, file = '', line = '0'] = placeInWords.exec(message) ?? [];
    report({
      kind: 'test',
      file,
      line: Number(line),
      name: 'an error after the end of a test',
      outcome: 'failed',
      reason: `${message}\n${inspect(errorIn(message))}`.slice(0, reasonLength),
      seconds: 0,
      isSuite: false,
    });
  });
  stream.on('test:summary', () => report({ kind: 'end' }));
  stream.resume();
}

function reportOutcome(event: Outcome): void {
  const { name, file = '', line = 0, details, nesting, skip } = event.data;
  const isSuite = details.type === 'suite';
  const failure = event.type === 'test:fail' ? reasonOf(event.data.details.error) : undefined;
  const skipReason = typeof skip === 'string' ? skip : '';
  report({
    kind: 'test',
    file: relative(process.cwd(), file),
    line,
    name,
    outcome: failure !== undefined ? 'failed' : skip === undefined ? 'passed' : 'skipped',
    reason: failure ?? skipReason,
    seconds: nesting === 0 ? details.duration_ms / 1000 : 0,
    isSuite,
  });
}

/** Returns the reason for a failure; returns '' if only nested tests failed. */
function reasonOf(error: Error & { readonly failureType?: string }): string {
  if (error.failureType === 'subtestsFailed') return '';
  return inspect(error.cause ?? error).slice(0, reasonLength);
}
