// Implements a reporter of node:test that sends each outcome to the run.

import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { report } from './report.ts';

/** Characters of a reason: stacks of wrapped errors grow long. */
const reasonLength = 4_000;

/** Reports each test that ended, then the end of all; yields nothing. */
// biome-ignore lint/correctness/useYield: a reporter is a generator.
export default async function* reportEvents(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') reportOutcome(event);
    if (event.type === 'test:summary') report({ kind: 'end' });
  }
}

function reportOutcome(event: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>): void {
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
