// `npm run torture -- --store both --kills 200 --seed abc` kills the service under load, this many times on
// each store. The seed determines the victims, the pauses and the requests; which requests are open at a
// kill depends on the machine. `--store files` makes file operations of the service fail, each kind on each
// kind of file. `--store all`, the default, does everything. `--after-tests` omits the faults of files that
// the tests have already tried.

import { parseArgs } from 'node:util';
import { faultFiles } from './file_fault_cases.ts';
import { missingForFileFaults } from './file_faults.ts';
import type { StoreName } from './steps.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'all' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now()) },
    'after-tests': { type: 'boolean', default: false },
  },
});
const { seed } = values;
const kills = Number(values.kills);

const chosen = new Map([
  ['sqlite', ['sqlite']],
  ['postgres', ['postgres']],
  ['both', ['sqlite', 'postgres']],
  ['files', ['files']],
  ['all', ['sqlite', 'postgres', 'files']],
]).get(values.store);
if (chosen === undefined) throw new Error('--store is sqlite, postgres, both, files or all');

/** The number of concurrent services: one starts while the other is under load. */
const lanes = 2;
const killsOfLine = 20;

for (const store of ['sqlite', 'postgres'] as const) {
  if (chosen.includes(store)) await timed(store, () => tortureStore(store));
}
if (chosen.includes('files')) {
  if (missingForFileFaults !== undefined) throw new Error(`this ${missingForFileFaults}`);
  await timed('files', () =>
    faultFiles({
      lanes,
      isChosen: ({ isCommon }) => isCommon !== true || !values['after-tests'],
      report: (name) => print(`files: ${name}`),
    }),
  );
}

/** Kills in every lane, and returns the number of kills of each victim. */
async function tortureStore(store: StoreName): Promise<string> {
  print(`${store}: seed ${seed}, ${kills} kills`);
  const victims = new Map<string, number>();
  let [done, activities, cutOff, refusals] = [0, 0, 0, 0];
  const lane = (_: unknown, number: number): Promise<void> =>
    torture({
      store,
      kills: Math.ceil((kills - number) / lanes),
      seed: `${seed} ${number}`,
      report: (round) => {
        done += 1;
        activities += round.activities;
        cutOff += round.cutOff;
        refusals += round.refusals;
        victims.set(round.victim, (victims.get(round.victim) ?? 0) + 1);
        const line = `${activities} activities, ${cutOff} cut off, ${refusals} times 503`;
        if (done % killsOfLine === 0) print(`${store}: ${done} kills, ${line}`);
      },
    });
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    print(`again: npm run torture -- --store ${store} --kills ${kills} --seed ${seed}`);
    throw error;
  }
  return [...victims]
    .sort()
    .map(([victim, times]) => `\n  ${times} × ${victim}`)
    .join('');
}

async function timed(what: string, run: () => Promise<string>): Promise<void> {
  const startMs = performance.now();
  const result = await run();
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
  print(`${what}: all as it should be, after ${seconds} s${result}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
