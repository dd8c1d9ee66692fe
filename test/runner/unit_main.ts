// The main module of the process that tests a unit: `unit_main.ts ENTRY TIMEOUT_MS`.

import { runTests } from './node_test.ts';
import { reportEvents } from './report_events.ts';

const [, , entry = '', timeoutMs] = process.argv;
/** Errors that no test awaited, by the words with which node:test quotes them. */
const errors = new Map<string, unknown>();
const stream = runTests(entry, {
  timeoutMs: Number(timeoutMs),
  onError: (error) => errors.set(`"${error}"`, error),
});
reportEvents(stream, (words) => [...errors].find(([quoted]) => words.includes(quoted))?.[1]);
stream.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
