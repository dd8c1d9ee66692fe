// Loaded before a command (`--import`). Counts the changes of files in the folder KILL_IN or of a PostgreSQL
// database, and kills the process (SIGKILL) before the change with the number KILL_BEFORE. Without this
// number, it prints the number of changes at the end.

import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const before = Number(process.env['KILL_BEFORE'] ?? '0');
const folder = process.env['KILL_IN'] ?? '';
let count = 0;

function step(): void {
  count += 1;
  if (count === before) process.kill(process.pid, 'SIGKILL');
}

type Call = (...given: readonly unknown[]) => unknown;

/** Counts the calls of an object for a file of the folder or an open file. */
function watch(object: object, name: string, isStep: (first: unknown) => boolean): void {
  const original: Call = Reflect.get(object, name);
  Reflect.set(object, name, function watched(this: unknown, ...given: readonly unknown[]) {
    if (isStep(given[0])) step();
    return original.apply(this, given as unknown[]);
  });
}

/** Returns the text of a statement in any form. */
const textOf = (statement: unknown): string =>
  typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : String(statement);

const isInside = (path: unknown): boolean => typeof path === 'string' && path.startsWith(folder);
const isOpenFile = (file: unknown): boolean => typeof file === 'number' && file > 2;

for (const name of ['mkdirSync', 'renameSync', 'linkSync', 'rmSync', 'copyFileSync']) {
  watch(fs, name, isInside);
}
watch(fs, 'fsyncSync', isOpenFile);
watch(DatabaseSync.prototype, 'exec', (sql) =>
  /^(COMMIT|VACUUM|PRAGMA journal)/i.test(String(sql)),
);
if (process.argv.includes('--database-url')) {
  // The command may use another copy of the package than the tests.
  const pg: typeof import('pg') = createRequire(process.argv[1] ?? '')('pg');
  watch(pg.Client.prototype, 'query', (statement) => /^(INSERT|COMMIT)/i.test(textOf(statement)));
}
syncBuiltinESMExports();

if (before === 0) process.once('exit', () => fs.writeSync(2, `\nsteps: ${count}\n`));
