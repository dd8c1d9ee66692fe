// Runs all tests, or the files, folders and patterns named on the command line.
//
// --changed [REF]   only tests that reach what changed since REF (HEAD), by imports
// --shuffle [TEXT]  in an order drawn by that text, or by a text that is printed
// --repeat N        N times, each in another order: the named tests, or all that start processes
// --load            beside a process that keeps one core busy
// --jobs N          so many processes of tests at a time (two more than there are cores)
// --no-skips        a skipped test fails the run
// --store-seconds   stores the seconds of the long files in the repository, for the order of new clones
// --grace MS        processes of the tests may end by themselves so long after the last test (10,000)

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedSince, isCommit, testsReaching } from './runner/changed.ts';
import { watchDescendants } from './runner/descendants.ts';
import { readKnownSeconds, writeKnownSeconds, writeUsualSeconds } from './runner/known_seconds.ts';
import { countOf, createProgress, failuresText, skipsText } from './runner/progress.ts';
import { rowsOf, tableText } from './runner/table.ts';
import { temporaryFolder } from './runner/temporary_folder.ts';
import { runUnit, type UnitResult } from './runner/unit_process.ts';
import { sharesProcess, type Unit, unitsOf } from './runner/units.ts';

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    'the tests need Node 26, which the project brings: run them with npm test\n',
  );
  process.exit(1);
}

const { values: options, positionals: named } = parseArgs({
  args: withDefaults(process.argv.slice(2)),
  options: {
    changed: { type: 'string' },
    shuffle: { type: 'string' },
    repeat: { type: 'string' },
    load: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism() + 2) },
    'no-skips': { type: 'boolean', default: false },
    'store-seconds': { type: 'boolean', default: false },
    grace: { type: 'string', default: '10000' },
  },
  allowPositionals: true,
});

const print = (text: string) => process.stdout.write(text);
const startedAt = performance.now();
const descendants = watchDescendants({ graceMs: Number(options.grace) });
const scratch = mkdtempSync(join(temporaryFolder(), 'keywright-run-'));
const load = options.load ? startLoad() : undefined;
// Servers that run as other users store their data below this folder.
chmodSync(scratch, 0o711);
process.once('exit', () => {
  load?.kill('SIGKILL');
  // Processes that were just killed may still be writing.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    descendants.kill();
    process.exit(1);
  });
}

const files = selected();
const rounds = Number(options.repeat ?? 1);
const shuffle = options.shuffle ?? (rounds > 1 ? randomUUID() : undefined);
let passedRounds = 0;
for (let round = 1; round <= rounds; round += 1) {
  const order = rounds > 1 ? `${shuffle}/${round}` : shuffle;
  if (rounds > 1) print(`\nround ${round} of ${rounds}\n`);
  if (await runRound(order)) passedRounds += 1;
}
load?.kill('SIGKILL');
const left = await descendants.end();
for (const command of left) print(`\n✖ left behind by the tests, and ended: ${command}\n`);
if (rounds > 1) print(`\n${passedRounds} of ${rounds} rounds passed\n`);
process.exitCode = passedRounds === rounds && left.length === 0 ? 0 : 1;

/** Runs the selected files once and prints the results. Returns true if all passed. */
async function runRound(order: string | undefined): Promise<boolean> {
  const units = unitsOf(files, { shuffle: order, known: readKnownSeconds() });
  if (order !== undefined) print(`order of the files: npm test -- --shuffle ${order}\n`);
  const results = await runUnits(units);
  const count = countOf(results);
  if (files.length > 1) print(tableText(results));
  print(`\n${skipsText(results)}`);
  const failures = failuresText(results, order);
  if (failures !== '') print(`\nfailures:\n\n${failures}`);
  print(
    [
      `ℹ tests ${count.passed + count.failed + count.skipped}`,
      `ℹ pass ${count.passed}`,
      `ℹ fail ${count.failed}`,
      `ℹ skipped ${count.skipped}`,
      `ℹ seconds ${((performance.now() - startedAt) / 1000).toFixed(1)}`,
      '',
    ].join('\n'),
  );
  const rows = results.flatMap(rowsOf);
  const seconds = Object.fromEntries(rows.map((row) => [row.name, row.seconds]));
  writeKnownSeconds(seconds);
  if (options['store-seconds']) writeUsualSeconds(seconds);
  return count.failed === 0 && (count.skipped === 0 || !options['no-skips']);
}

/** Runs units, a bounded number at a time, in their order. */
async function runUnits(units: readonly Unit[]): Promise<readonly UnitResult[]> {
  const progress = createProgress(units, print);
  const waiting = [...units];
  const results: UnitResult[] = [];
  const environment = { ...descendants.mark, TEST_RUN_FOLDER: scratch, TMPDIR: scratch };
  const work = async () => {
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
      const result = await runUnit(unit, { scratch, environment, onTest: progress.testEnded });
      results.push(result);
      progress.unitEnded(result);
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, work));
  return results;
}

/** Returns the files that the command line selects. */
function selected(): readonly string[] {
  const all = globSync('test/**/*.test.ts').sort();
  const asked = named.length > 0 ? named.flatMap(filesNamed) : all;
  if (options.changed !== undefined) {
    const changed = changedSince(options.changed);
    const sources = globSync('{src,test,bench,tools,examples}/**/*.ts');
    const texts = new Map(sources.map((path) => [path, readFileSync(path, 'utf8')] as const));
    const reaching = testsReaching(changed, { texts, tests: asked });
    print(`${changed.length} changed files, ${reaching.length} of ${asked.length} test files\n`);
    return reaching;
  }
  const repeatsAll = options.repeat !== undefined && named.length === 0;
  return repeatsAll ? asked.filter((file) => !sharesProcess(file)) : asked;
}

/** Returns the files of a path or pattern. */
function filesNamed(pattern: string): readonly string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = globSync(isFolder ? join(pattern, '**/*.test.ts') : pattern).sort();
  if (found.length === 0) throw new Error(`no tests at ${pattern}`);
  return found;
}

/** `--changed` and `--shuffle` may have no value. */
function withDefaults(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1];
    if (word === '--changed')
      return [next !== undefined && isCommit(next) ? word : '--changed=HEAD'];
    if (word !== '--shuffle') return [word];
    const isGiven = next !== undefined && !next.startsWith('-') && !/\.ts$|^test\//.test(next);
    return [isGiven ? word : `--shuffle=${randomUUID()}`];
  });
}

function startLoad(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}
