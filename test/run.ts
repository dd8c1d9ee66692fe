// Runs all tests, or the files and patterns named on the command line. `--shuffle TEXT` runs the files that
// share a process in an order drawn by that text; the tests of a file keep theirs.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
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
const scratch = mkdtempSync(join(tmpdir(), 'keywright-run-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
/** Each group of tests writes to one of these what took longest and what failed. They are printed last. */
const endings: string[] = [];
const code = named.length > 0 ? await runNamed() : await runAll();
const left = await descendants.end();
for (const command of left) {
  process.stdout.write(`\n✖ left behind by the tests, and ended: ${command}\n`);
}
for (const path of endings) {
  if (existsSync(path)) process.stdout.write(readFileSync(path, 'utf8'));
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
  const quiet = spawnTests(['--test-isolation=none', ...ordered(together)], 'pipe');
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
  const first = await run(['--test-isolation=none', ...ordered(together)]);
  return alone.length === 0 ? first : Math.max(first, await run(alone));
}

/**
 * Files as they are, or as one that loads them in a drawn order: the runner itself sorts what it is
 * given.
 */
function ordered(files: readonly string[]): readonly string[] {
  const { shuffle } = options;
  if (shuffle === undefined) return files;
  process.stdout.write(`order of the files: npm test -- --shuffle ${shuffle}\n`);
  const rank = (file: string) => createHash('sha256').update(`${shuffle}/${file}`).digest('hex');
  const drawn = files
    .map((file) => ({ file, rank: rank(file) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ file }) => `import '${pathToFileURL(resolve(file)).href}';\n`);
  const path = join(scratch, 'in_drawn_order.test.ts');
  writeFileSync(path, drawn.join(''));
  return [path];
}

function sharesProcess(file: string): boolean {
  const [, folder = ''] = file.split('/');
  // Hooks of a file around each of its tests would run around those of all.
  return (
    inOneProcess.includes(folder) && !/\b(before|after)Each\b/.test(readFileSync(file, 'utf8'))
  );
}

function run(args: readonly string[]): Promise<number> {
  return exitCode(spawnTests(args, 'inherit'));
}

function spawnTests(args: readonly string[], stdout: 'inherit' | 'pipe'): ChildProcess {
  const ending = join(scratch, `ending_${endings.length}.txt`);
  endings.push(ending);
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    `--test-reporter=${join(import.meta.dirname, 'support/ending_reporter.ts')}`,
    `--test-reporter-destination=${ending}`,
  ];
  const whole = ['--import', join(import.meta.dirname, 'support/blocking_output.ts')];
  // A file that fails while it loads has started what nothing stops: it must not wait for that to end.
  return spawn(process.execPath, ['--test', '--test-force-exit', ...whole, ...reporters, ...args], {
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
