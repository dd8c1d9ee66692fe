// `npm run torture -- --store both --kills 200 --seed abc`: kills the service under load, so many
// times on each store. The seed chooses the victims, the pauses and the requests; which of them are
// in flight at a kill is up to the machine.

import { parseArgs } from 'node:util';
import type { StoreName } from './steps.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'both' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const { seed, store: chosen } = values;
const kills = Number(values.kills);
const stores = (['sqlite', 'postgres'] as const).filter((store) =>
  [store, 'both'].includes(chosen),
);
if (stores.length === 0) throw new Error('--store is sqlite, postgres or both');

/** Services side by side: while one starts, the other is under load. */
const lanes = 2;
const killsOfLine = 20;

for (const store of stores) await tortureStore(store);

async function tortureStore(store: StoreName): Promise<void> {
  print(`${store}: seed ${seed}, ${kills} kills`);
  const startMs = performance.now();
  const victims = new Map<string, number>();
  let [done, activities, cutOff] = [0, 0, 0];
  const lane = (_: unknown, number: number): Promise<void> =>
    torture({
      store,
      kills: Math.ceil((kills - number) / lanes),
      seed: `${seed} ${number}`,
      report: (round) => {
        done += 1;
        activities += round.activities;
        cutOff += round.cutOff;
        victims.set(round.victim, (victims.get(round.victim) ?? 0) + 1);
        const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
        const counts = `${activities} activities, ${cutOff} cut off and sent again`;
        if (done % killsOfLine === 0) print(`${store}: ${done} kills, ${counts}, ${seconds} s`);
      },
    });
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    print(`again: npm run torture -- --store ${store} --kills ${kills} --seed ${seed}`);
    throw error;
  }
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
  print(`${store}: all as it should be after ${done} kills in ${seconds} s:`);
  for (const [victim, times] of [...victims].sort()) print(`  ${times} × ${victim}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
