// Runs the test files that are named, in one process and in their order, until the first failure.

import { run } from 'node:test';

const files = process.argv.slice(2);
run({ files, isolation: 'none', concurrency: false })
  .on('test:fail', ({ name, file }) => {
    // The answer first: nothing that the tests still have open may keep the process.
    process.stdout.write(`${file ?? ''}: ${name}\n`, () => process.exit(1));
  })
  .on('end', () => process.exit(0))
  .resume();
