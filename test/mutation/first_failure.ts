// Runs the given test files in one process and in the given order, until the first failure.

import { relative } from 'node:path';
import { run } from 'node:test';

const files = process.argv.slice(2);
run({ files, isolation: 'none', concurrency: false })
  .on('test:fail', ({ name, file }) => {
    // Exits as soon as the answer is written, even if the tests still have open handles.
    process.stdout.write(`${relative('', file ?? '')}: ${name}\n`, () => process.exit(1));
  })
  .on('end', () => process.exit(0))
  .resume();
