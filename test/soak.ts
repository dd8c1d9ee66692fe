// Runs the long suites with their full bounds, one line a suite: npm run soak.
// A soak that was interrupted goes on with the suite that it was in; suites that passed on this commit are
// left out.
//
// --again        all suites from the first, whatever passed before
// --only NAMES   only these, separated by commas

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The suites by name: a script of package.json and its arguments. */
const suites: Readonly<Record<string, readonly string[]>> = {
  tests: ['test'],
  repeats: ['test', '--repeat', '20', '--shuffle', '--load'],
  simulate: ['simulate'],
  transactions: ['transactions'],
  differential: ['differential'],
  tamper: ['tamper'],
  races: ['races'],
  limits: ['limits'],
  freezes: ['freezes'],
  fuzz: ['fuzz'],
  webhooks: ['webhooks'],
  torture: ['torture'],
  drill: ['drill'],
  sends: ['sends'],
  kills: ['kills'],
  clients: ['clients'],
  mutate: ['mutate'],
};

const { values: options } = parseArgs({
  options: { again: { type: 'boolean', default: false }, only: { type: 'string' } },
});

const folder = join(import.meta.dirname, '../node_modules/.cache/keywright_soak');
mkdirSync(folder, { recursive: true });
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const passed = new Set(options.again ? [] : readPassed());
const asked = options.only?.split(',') ?? Object.keys(suites);
const unknown = asked.filter((name) => suites[name] === undefined);
if (unknown.length > 0) {
  throw new Error(`no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`);
}

let failed = 0;
for (const name of asked) {
  if (passed.has(name)) {
    process.stdout.write(`✔ ${name.padEnd(14)} passed before\n`);
    continue;
  }
  const startedAt = performance.now();
  const log = join(folder, `${name}.log`);
  const isPassed = (await runSuite(suites[name] ?? [], log)) === 0;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1).padStart(6);
  process.stdout.write(`${isPassed ? '✔' : '✖'} ${name.padEnd(14)} ${minutes} min  ${log}\n`);
  if (isPassed) passed.add(name);
  else failed += 1;
  writeFileSync(join(folder, 'passed.json'), JSON.stringify({ commit, names: [...passed] }));
}
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a script of package.json with its whole output in a file. Returns its exit code. */
async function runSuite([script = '', ...words]: readonly string[], log: string): Promise<number> {
  const child = spawn('npm', ['run', '--silent', script, '--', ...words], {
    env: { ...process.env, SOAK: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  const [code] = await once(child, 'close');
  file.end();
  return typeof code === 'number' ? code : 1;
}

/** Returns the suites that passed on the current commit. */
function readPassed(): readonly string[] {
  try {
    const known = JSON.parse(readFileSync(join(folder, 'passed.json'), 'utf8'));
    return known.commit === commit ? known.names : [];
  } catch {
    return [];
  }
}
