// A reporter of node:test that tells only what failed: a line for each test with its file, then why.

import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** As much of an error as helps: stacks of wrapped errors grow long. */
const reasonLength = 4_000;

/** The text about each failed test of the events; a suite that failed for its tests is not told again. */
export default async function* tellFailures(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue;
    const { name, file = '', line, details } = event.data;
    if (event.data.todo !== undefined || event.data.skip !== undefined) continue;
    const error: Error & { failureType?: string } = details.error;
    if (error.failureType === 'subtestsFailed') continue;
    yield `\n✖ ${name}\n  ${file}:${line ?? ''}\n`;
    yield `${inspect(error.cause ?? error).slice(0, reasonLength)}\n`;
  }
}
