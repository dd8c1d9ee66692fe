// `npm run freezes -- --cases 10000 --seed keywright`: races of signatures, exports and sends beside
// freezes. With `--cases 1` the seed is that of the one race; `--log` writes what happened.

import { parseArgs } from 'node:util';
import { race, reproduction } from './races.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: 'keywright' },
    log: { type: 'boolean', default: false },
  },
});

const cases = Number(values.cases);
const counts = new Map<string, number>();
const startMs = performance.now();
let failed = 0;

for (let number = 1; number <= cases; number += 1) {
  const seed = cases === 1 ? values.seed : `${values.seed}-${number}`;
  const result = await race(seed);
  for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  if (number % 1000 === 0) print(`${number} races`);
  if (values.log) print(result.log.join('\n'));
  if (result.complaints.length === 0) continue;
  failed += 1;
  print(`race ${seed}: ${result.complaints.join('\n  ')}\n  ${reproduction(seed)}`);
}
for (const [what, count] of [...counts].sort()) print(`${what} ${count}`);
const perSecond = (cases / (performance.now() - startMs)) * 1000;
print(`${cases} races, ${failed} failed, ${perSecond.toFixed(1)} per second`);
process.exitCode = failed === 0 ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
