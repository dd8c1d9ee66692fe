// Runs all tests, or the files and patterns named on the command line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    'the tests need Node 26, which the project brings: run them with npm test\n',
  );
  process.exit(1);
}

/** Folders of tests that start no process and touch nothing outside: they run in one process. */
const inOneProcess = ['architecture', 'core', 'operations', 'pipeline', 'standards'];

const named = process.argv.slice(2);
process.exitCode = named.length > 0 ? await run(named) : await runAll();

/**
 * Both groups at once; what the quicker one tells is printed behind the other. Most of the other's time
 * is waiting: for processes, disks and servers.
 */
async function runAll(): Promise<number> {
  const all = globSync('test/**/*.test.ts').sort();
  const together = all.filter(sharesProcess);
  const alone = all.filter((file) => !together.includes(file));
  const quiet = spawnTests(['--test-isolation=none', ...together], 'pipe');
  const [output, codes] = await Promise.all([
    quiet.stdout === null ? '' : text(quiet.stdout),
    Promise.all([exitCode(quiet), run(['--test-concurrency=2', ...alone])]),
  ]);
  process.stdout.write(`\n${together.length} files in one process:\n${output}`);
  return Math.max(...codes);
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

function spawnTests(args: readonly string[], stdout: 'inherit' | 'pipe') {
  return spawn(process.execPath, ['--test', ...args], {
    stdio: ['inherit', stdout, 'inherit'],
    // Hundreds of processes read the same sources.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled_tests'),
    },
  });
}

async function exitCode(child: ReturnType<typeof spawnTests>): Promise<number> {
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
