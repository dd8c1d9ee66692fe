// Puts one fault after the other into the security core and asks the tests: npm run mutate.
// A fault that no test notices is a missing test. Nothing is written into the tree.
//
// --sample N     so many faults, drawn by the seed (all)
// --seed TEXT    what is drawn (the time)
// --files GLOB   only faults of these sources
// --area NAME    only faults of this area
// --again FILE   only faults that survived in what --json wrote before
// --jobs N       processes at a time (2)
// --least SHARE  what share must be noticed (0.95; a small sample varies by chance)
// --json         one line of JSON for each fault

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Area, areas } from './areas.ts';
import { explanationOf } from './explained.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    files: { type: 'string' },
    area: { type: 'string' },
    again: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    least: { type: 'string', default: '0.95' },
    json: { type: 'boolean', default: false },
  },
});

/** A fault that makes a loop endless is noticed by the time it takes: this, and more for slow tests. */
const leastTimeLimitMs = 30_000;
/** How much longer tests may take with a fault than all tests of the area take without one. */
const slowdown = 4;
const leastShare = Number(options.least);

/** An edit that changes nothing of a file that is always there. */
const noFault = { file: 'src/core/base/bytes.ts', start: 0, end: 0, replacement: '' };

/** The longest that a timer runs. */
const longestTimerMs = 2 ** 31 - 1;

type Outcome = 'killed' | 'timed out' | 'survived' | 'explained';
type Result = { readonly mutant: Mutant; readonly outcome: Outcome; readonly by: string };
type Task = { readonly mutant: Mutant; readonly tests: readonly string[]; readonly area: string };

/** Groups of processes that run. Broken off, this one takes them along. */
const groups = new Set<number>();
process.once('exit', () => {
  for (const group of groups) endGroup(group);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const isAsked = options.again === undefined ? () => true : survivedBefore(options.again);
const chosen = Object.entries(areas).filter(([name]) => (options.area ?? name) === name);
const testsOf = (area: Area) => [
  ...new Set(area.tests.flatMap((pattern) => globSync(pattern).sort())),
];
const all: readonly Task[] = chosen.flatMap(([name, area]) => {
  const tests = testsOf(area);
  return area.sources
    .flatMap((pattern) => globSync(pattern).sort())
    .filter((file) => options.files === undefined || matchesGlob(file, options.files))
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
    .filter(isAsked)
    .map((mutant) => ({ mutant, tests: nearestFirst(tests, mutant.file), area: name }));
});
const tasks = sampled(all, Number(options.sample ?? all.length));

process.stderr.write(`${tasks.length} of ${all.length} faults, seed ${options.seed}\n`);
const timeLimits = await timeLimitsOf(new Set(tasks.map(({ area }) => area)));
const results: Result[] = [];
const queue = [...tasks];
await Promise.all(
  Array.from({ length: Number(options.jobs) }, async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const result = await outcomeOf(task);
      results.push(result);
      tell(result);
    }
  }),
);
process.exitCode = summarized(results);

/** Returns true for the faults that survived a run before: they are found by their lines' texts. */
function survivedBefore(file: string): (mutant: Mutant) => boolean {
  const nameOf = ({ file, lineText, fault }: Mutant) => `${file}/${lineText}/${fault}`;
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const survived = rows
    .map((row): Mutant & Pick<Result, 'outcome'> => JSON.parse(row))
    .filter(({ outcome }) => outcome === 'survived');
  const names = new Set(survived.map(nameOf));
  return (mutant) => names.has(nameOf(mutant));
}

/** Tests that are named as the source is come first: they fail first. Others keep the area's order. */
function nearestFirst(tests: readonly string[], file: string): readonly string[] {
  const wordsOf = (path: string) => (path.split('/').at(-1) ?? '').split('.')[0]?.split('_') ?? [];
  const words = wordsOf(file);
  const score = (test: string) => wordsOf(test).filter((word) => words.includes(word)).length;
  return tests.toSorted((a, b) => score(b) - score(a));
}

/** Whatever order the faults come in, the same seed draws the same ones of the same text. */
function sampled(tasks: readonly Task[], count: number): readonly Task[] {
  const rank = ({ mutant }: Task) =>
    createHash('sha256')
      .update(`${options.seed}/${mutant.file}/${mutant.lineText}/${mutant.fault}`)
      .digest('hex');
  return tasks
    .map((task) => ({ task, rank: rank(task) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ task }) => task);
}

/** Runs the tests of each area without a fault. They pass, and take as long as no fault should make of it. */
async function timeLimitsOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const limits = new Map<string, number>();
  for (const [name, area] of Object.entries(areas)) {
    if (!names.has(name)) continue;
    const startedAt = performance.now();
    const { code, output } = await runTests(undefined, testsOf(area), Number.POSITIVE_INFINITY);
    if (code !== 0) throw new Error(`without a fault a test of ${name} fails: ${output}`);
    limits.set(name, leastTimeLimitMs + slowdown * (performance.now() - startedAt));
  }
  return limits;
}

async function outcomeOf({ mutant, tests, area }: Task): Promise<Result> {
  const reason = explanationOf(mutant);
  if (reason !== undefined) return { mutant, outcome: 'explained', by: reason };
  // Most faults are noticed by the first few files; loading them all takes longer than that.
  const parts = [tests.slice(0, 3), tests.slice(3, 10), tests.slice(10)];
  for (const part of parts.filter(({ length }) => length > 0)) {
    const { isLate, code, output } = await runTests(mutant, part, timeLimits.get(area) ?? 0);
    if (isLate) return { mutant, outcome: 'timed out', by: '' };
    if (code !== 0) return { mutant, outcome: 'killed', by: output.trim().split('\n')[0] ?? '' };
  }
  return { mutant, outcome: 'survived', by: '' };
}

async function runTests(mutant: Mutant | undefined, tests: readonly string[], timeLimitMs: number) {
  const { file, start, end, replacement } = mutant ?? noFault;
  const here = (name: string) => join(import.meta.dirname, name);
  const child = spawn(
    process.execPath,
    ['--import', here('faulty_source.ts'), here('first_failure.ts'), ...tests],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      // In a session of its own: what its tests start ends with it.
      detached: true,
      env: {
        ...process.env,
        MUTANT: JSON.stringify({ file, start, end, replacement }),
        NODE_COMPILE_CACHE: here('../../node_modules/.cache/compiled_tests'),
      },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('the tests cannot be started');
  groups.add(pid);
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      endGroup(pid);
    },
    Math.min(timeLimitMs, longestTimerMs),
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  clearTimeout(timer);
  endGroup(pid);
  groups.delete(pid);
  return { isLate, code, output };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Nothing is left of it.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function tell({ mutant, outcome, by }: Result): void {
  const { file, line, lineText, fault } = mutant;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ file, line, lineText, fault, outcome, by })}\n`);
  } else if (outcome === 'survived') {
    process.stdout.write(`survived: ${file}:${line} ${fault}\n  ${lineText}\n`);
  }
}

/** Prints how each area did, and gives the exit code. */
function summarized(results: readonly Result[]): number {
  const noticed = results.filter(({ outcome }) => ['killed', 'timed out'].includes(outcome));
  const counted = results.filter(({ outcome }) => outcome !== 'explained');
  const share = counted.length === 0 ? 1 : noticed.length / counted.length;
  const of = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  process.stderr.write(
    `${of('killed')} killed, ${of('timed out')} timed out, ${of('survived')} survived, ` +
      `${of('explained')} explained: ${(share * 100).toFixed(1)} % noticed\n`,
  );
  return share >= leastShare ? 0 : 1;
}
