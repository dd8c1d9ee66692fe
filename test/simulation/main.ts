// `npm run simulate -- --seeds 2000 --first 1 --steps 200` runs simulations of the whole service, one for
// each seed. `--log` prints the steps of each.

import { parseArgs } from 'node:util';
import { createCoverage } from './coverage.ts';
import { reproduction } from './reproduction.ts';
import { defaultSteps, simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    first: { type: 'string', default: '1' },
    steps: { type: 'string', default: String(defaultSteps) },
    log: { type: 'boolean', default: false },
  },
});
/** From this number of seeds on, every kind of activity and answer must occur. */
const seedsThatDoAll = 1000;

const first = Number(values.first);
const steps = Number(values.steps);
const coverage = createCoverage();
const startMs = performance.now();
let failed = 0;

for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const result = await simulate(seed, steps);
  coverage.add(result);
  if ((seed - first) % 200 === 199) print(`${seed - first + 1} seeds`);
  if (values.log) print(result.log.join('\n'));
  if (result.complaints.length === 0) continue;
  failed += 1;
  print(`seed ${seed}: ${result.complaints.join('\n  ')}\n  ${reproduction(seed, steps)}`);
}
for (const [what, count] of [...coverage.counts].sort()) print(`${what} ${count}`);
const perSecond = (Number(values.seeds) / (performance.now() - startMs)) * 1000;
print(`${values.seeds} seeds, ${failed} failed, ${perSecond.toFixed(1)} per second`);
const missing = Number(values.seeds) < seedsThatDoAll ? [] : coverage.missing();
if (missing.length > 0) print(`never: ${missing.join(', ')}`);
process.exitCode = failed === 0 && missing.length === 0 ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
