// Runs all tests, or the files and patterns named on the command line.

import { spawnSync } from 'node:child_process';

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    'the tests need Node 26, which the project brings: run them with npm test\n',
  );
  process.exit(1);
}
const named = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['--test', ...(named.length === 0 ? ['test/**/*.test.ts'] : named)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
