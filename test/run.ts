// Runs all tests, or the files and patterns named on the command line. `--shuffle TEXT` runs the files that
// share a process, and the tests in them, in an order drawn by that text.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { watchDescendants } from './support/descendants.ts';

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    'the tests need Node 26, which the project brings: run them with npm test\n',
  );
  process.exit(1);
}

/** Folders of tests that start no process and touch nothing outside: they run in one process. */
const inOneProcess = ['architecture', 'core', 'operations', 'pipeline', 'standards'];

const { values: options, positionals: named } = parseArgs({
  options: { shuffle: { type: 'string' } },
  allowPositionals: true,
});

const descendants = watchDescendants();
const code = named.length > 0 ? await runNamed() : await runAll();
const left = await descendants.end();
for (const command of left) {
  process.stdout.write(`\n✖ left behind by the tests, and ended: ${command}\n`);
}
process.exitCode = left.length > 0 ? 1 : code;

/**
 * Both groups at once; what the quicker one tells is printed behind the other. Most of the other's time
 * is waiting: for processes, disks and servers.
 */
async function runAll(): Promise<number> {
  const all = globSync('test/**/*.test.ts').sort();
  const together = all.filter(sharesProcess);
  const alone = all.filter((file) => !together.includes(file));
  const quiet = spawnTests([...order(), '--test-isolation=none', ...together], 'pipe');
  const [output, codes] = await Promise.all([
    quiet.stdout === null ? '' : text(quiet.stdout),
    Promise.all([exitCode(quiet), run(['--test-concurrency=2', ...alone])]),
  ]);
  process.stdout.write(`\n${together.length} files in one process:\n${output}`);
  return Math.max(...codes);
}

/** The files that are named; in a drawn order those that can share a process do. */
async function runNamed(): Promise<number> {
  if (options.shuffle === undefined) return run(named);
  const files = named.flatMap((pattern) => globSync(pattern).sort());
  const together = files.filter(sharesProcess);
  const alone = files.filter((file) => !together.includes(file));
  const first = await run([...order(), '--test-isolation=none', ...together]);
  return alone.length === 0 ? first : Math.max(first, await run(alone));
}

/** Flags that draw an order; the seed is printed, and gives the same order again. */
function order(): readonly string[] {
  if (options.shuffle === undefined) return [];
  const seed = createHash('sha256').update(options.shuffle).digest().readUInt32BE(0);
  process.stdout.write(`order: npm test -- --shuffle ${options.shuffle}\n`);
  return ['--test-randomize', `--test-random-seed=${seed}`];
}

function sharesProcess(file: string): boolean {
  const [, folder = ''] = file.split('/');
  // What a file wants done around each of its tests would be done around those of all.
  return (
    inOneProcess.includes(folder) && !/\b(before|after)Each\b/.test(readFileSync(file, 'utf8'))
  );
}

function run(args: readonly string[]): Promise<number> {
  return exitCode(spawnTests(args, 'inherit'));
}

function spawnTests(args: readonly string[], stdout: 'inherit' | 'pipe'): ChildProcess {
  // A file that fails while it loads has started what nothing stops: it must not wait for that to end.
  return spawn(process.execPath, ['--test', '--test-force-exit', ...args], {
    stdio: ['inherit', stdout, 'inherit'],
    // Hundreds of processes read the same sources.
    env: {
      ...process.env,
      ...descendants.mark,
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled_tests'),
    },
  });
}

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
