// Puts one fault after the other into the security core and asks the tests: npm run mutate.
// A fault that no test notices is a missing test. Nothing is written into the tree.
//
// --sample N     so many faults, drawn by the seed (all)
// --seed TEXT    what is drawn (the time)
// --files GLOB   only faults of these sources
// --area NAME    only faults of this area
// --again FILE   only faults that survived in what --json wrote before
// --resume FILE  only faults without a result in what --json wrote before; those results are counted too
// --jobs N       areas at a time (2)
// --quick S      asks tests that took S seconds of processor time without the fault, and no process of its
//                own where they pass: without this, more may be noticed
// --least SHARE  what share must be noticed (0.95; a small sample varies by chance)
// --json         one line of JSON for each fault

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { type Area, areas } from './areas.ts';
import { type ColdTests, coldTests } from './cold_tests.ts';
import { type Outcome, readEarlierResults, resultsIn, survivedIn } from './earlier_results.ts';
import { explanationOf } from './explained.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { startWarmTests, type WarmTests } from './warm_tests.ts';

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    files: { type: 'string' },
    area: { type: 'string' },
    again: { type: 'string' },
    resume: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    quick: { type: 'string' },
    least: { type: 'string', default: '0.95' },
    json: { type: 'boolean', default: false },
  },
});

const leastShare = Number(options.least);

/** Assumed processor time of a test file that was not measured, for its time limit. */
const unknownMs = 60_000;

/** The milliseconds of --quick; undefined without the option. */
const quickMs = options.quick === undefined ? undefined : Number(options.quick) * 1000;

type Result = {
  readonly area: string;
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  readonly by: string;
};
type Task = { readonly mutant: Mutant; readonly area: string };
type AreaTests = {
  readonly warm: WarmTests;
  readonly cold: ColdTests;
  readonly slow: readonly string[];
};

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const isAsked =
  options.again === undefined ? () => true : survivedIn(readEarlierResults(options.again));
const earlierOf = resultsIn(options.resume === undefined ? [] : readEarlierResults(options.resume));
const chosen = Object.entries(areas).filter(([name]) => (options.area ?? name) === name);
const all: readonly Task[] = chosen.flatMap(([area, { sources }]) =>
  filesOf(sources)
    .filter((file) => options.files === undefined || matchesGlob(file, options.files))
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
    .filter(isAsked)
    .map((mutant) => ({ mutant, area })),
);
const asked = sampled(all, Number(options.sample ?? all.length));
// Explanations may be new, so the run looks for them again.
const results: Result[] = asked.flatMap(({ area, mutant }) => {
  const earlier = earlierOf(mutant);
  if (earlier === undefined || explanationOf(mutant) !== undefined) return [];
  return earlier.outcome === 'explained' ? [] : [{ ...earlier, area, mutant }];
});
const known = new Set(results.map(({ mutant }) => mutant));
const tasks = asked.filter(({ mutant }) => !known.has(mutant));

process.stderr.write(
  `${tasks.length} of ${all.length} faults, ${known.size} known, seed ${options.seed}\n`,
);
const queue = chosen.filter(([name]) => tasks.some(({ area }) => area === name));
await Promise.all(
  Array.from({ length: Number(options.jobs) }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await tryArea(...next);
  }),
);
for (const [name] of chosen)
  summarize(
    name,
    results.filter(({ area }) => area === name),
  );
process.exitCode = summarize('all', results) >= leastShare ? 0 : 1;

/**
 * Tries the faults of an area, ordered by source, so that the tests that noticed earlier faults of a source
 * are known.
 */
async function tryArea(name: string, area: Area): Promise<void> {
  const own = tasks.filter((task) => task.area === name).map(({ mutant }) => mutant);
  const every = filesOf(area.tests);
  const isSlow = (file: string) => (area.slow ?? []).some((pattern) => matchesGlob(file, pattern));
  const quick = every.filter((file) => !isSlow(file));
  const slow = quickMs === undefined ? every.filter(isSlow) : [];
  const warm = await startWarmTests(quick, own);
  for (const [file, failure] of Object.entries(warm.baseline.failing)) {
    process.stderr.write(`only asked in processes of their own: ${file} (${failure})\n`);
  }
  const msOf = (file: string) => warm.baseline.files[file]?.ms ?? unknownMs;
  const tests = { warm, cold: coldTests(msOf), slow };
  for (const [index, mutant] of own.entries()) {
    const result = { area: name, mutant, ...(await outcomeOf(mutant, index, tests)) };
    results.push(result);
    tell(result);
  }
  warm.end();
}

async function outcomeOf(
  mutant: Mutant,
  index: number,
  { warm, cold, slow }: AreaTests,
): Promise<Pick<Result, 'outcome' | 'by'>> {
  const reason = explanationOf(mutant);
  if (reason !== undefined) return { outcome: 'explained', by: reason };
  const { files, failing, atLoad } = warm.baseline;
  const reaching = Object.keys(files).filter((file) => files[file]?.reaches.includes(index));
  // Code that runs while modules load affects tests that do not reach it themselves. In a long process, V8
  // forgets that a test reached a small function, so tests that reach the source are run as well.
  const others = Object.keys(files)
    .filter((file) => !reaching.includes(file))
    .filter((file) => atLoad.includes(index) || files[file]?.sources.includes(mutant.file));
  const promising = [reaching, others].flatMap((some) => promisingFirst(some, mutant.file, warm));
  const asked = within(promising, warm.baseline);
  const found = await warm.outcomeOf(mutant, asked);
  if (found.kind === 'killed') return { outcome: 'killed', by: found.by };
  // Modules that have already read a table do not see its other variant, so a new process decides.
  const isSure = found.isPassed && !atLoad.includes(index);
  if (quickMs !== undefined && isSure) return { outcome: 'survived', by: '' };
  return await cold.outcomeOf(mutant, [...asked, ...Object.keys(failing), ...slow]);
}

/**
 * Orders the files by the faults of this source that they noticed, relative to their time; the best come
 * first.
 */
function promisingFirst(files: readonly string[], source: string, { baseline }: WarmTests) {
  const noticed = results.filter(({ mutant }) => mutant.file === source).map(({ by }) => by);
  const score = (file: string) => {
    const times = noticed.filter((by) => by.startsWith(`${file}:`)).length;
    return (times + 1 + nearness(file, source)) / (20 + (baseline.files[file]?.ms ?? 0));
  };
  return files.toSorted((a, b) => score(b) - score(a));
}

/** Returns the first files whose times together are within the limit of --quick. */
function within(files: readonly string[], { files: known }: WarmTests['baseline']) {
  let totalMs = 0;
  return files.filter((file) => {
    totalMs += known[file]?.ms ?? 0;
    return totalMs <= (quickMs ?? Number.POSITIVE_INFINITY);
  });
}

function nearness(test: string, source: string): number {
  const wordsOf = (path: string) => (path.split('/').at(-1) ?? '').split('.')[0]?.split('_') ?? [];
  return wordsOf(test).filter((word) => wordsOf(source).includes(word)).length;
}

function filesOf(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern).sort()))];
}

/** Draws faults. The result depends on the seed and the texts of the faults, not on their order. */
function sampled(tasks: readonly Task[], count: number): readonly Task[] {
  const rank = ({ mutant }: Task) =>
    createHash('sha256')
      .update(`${options.seed}/${mutant.file}/${mutant.lineText}/${mutant.fault}`)
      .digest('hex');
  return tasks
    .map((task) => ({ task, rank: rank(task) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ task }) => task)
    .toSorted((a, b) => tasks.indexOf(a) - tasks.indexOf(b));
}

function tell({ area, mutant, outcome, by }: Result): void {
  const { file, line, lineText, fault } = mutant;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ area, file, line, lineText, fault, outcome, by })}\n`);
  } else if (outcome === 'survived') {
    process.stdout.write(`survived: ${file}:${line} ${fault}\n  ${lineText}\n`);
  }
}

/** Prints the result of an area, and returns the share of noticed faults. */
function summarize(name: string, results: readonly Result[]): number {
  const of = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const noticed = of('killed') + of('timed out');
  const counted = noticed + of('survived');
  const share = counted === 0 ? 1 : noticed / counted;
  process.stderr.write(
    `${name}: ${results.length} tried, ${of('killed')} killed, ${of('timed out')} timed out, ` +
      `${of('survived')} survived, ${of('explained')} explained: ${(share * 100).toFixed(1)} % noticed\n`,
  );
  return share;
}
