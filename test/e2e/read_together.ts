// Loaded before a command (`--import`): processes that read the file MEET_OVER wait until MEET_COUNT of them
// have read it, at the first two reads. Each process therefore reads the file before any of them changes it.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { MEET_IN: folder = '', MEET_COUNT: count = '1', MEET_OVER: file } = process.env;
const meetings = 2;
let reads = 0;

const original = fs.readFileSync;
Reflect.set(fs, 'readFileSync', function read(...given: Parameters<typeof original>) {
  try {
    return original(...given);
  } finally {
    if (given[0] === file && reads < meetings) meet();
  }
});
syncBuiltinESMExports();

function meet(): void {
  reads += 1;
  const here = `${reads}-`;
  fs.writeFileSync(join(folder, `${here}${process.pid}`), '');
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (fs.readdirSync(folder).filter((name) => name.startsWith(here)).length < Number(count)) {
    Atomics.wait(cell, 0, 0, 5);
  }
}
