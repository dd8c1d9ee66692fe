// `npm run simulate -- --seeds 2000 --first 1 --steps 200`: simulations of the whole service, one for
// each seed. With `--log` each writes what happened.

import { parseArgs } from 'node:util';
import { reproduction } from './reproduction.ts';
import { defaultSteps, simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    steps: { type: 'string', default: String(defaultSteps) },
    log: { type: 'boolean', default: false },
  },
});
const first = Number(values.first);
const steps = Number(values.steps);
const totals = new Map<string, number>();
let failed = 0;

for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const result = await simulate(seed, steps);
  for (const [what, count] of [...result.committed, ...result.answers]) {
    totals.set(what, (totals.get(what) ?? 0) + count);
  }
  if (values.log) print(result.log.join('\n'));
  if (result.complaints.length === 0) continue;
  failed += 1;
  print(`seed ${seed}: ${result.complaints.join('\n  ')}\n  ${reproduction(seed, steps)}`);
}
for (const [what, count] of [...totals].sort()) print(`${what} ${count}`);
print(`${values.seeds} seeds, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
