// node test/policy_reference/main.ts --cases 1000000 --seed 1
//
// Compares the policy language with its reference on random cases; prints what differs.

import { parseArgs } from 'node:util';
import { run } from './run.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' } },
});
const cases = numberOf(values.cases, 100_000);
const seed = numberOf(values.seed, 1);
const { counts, differences } = run(cases, seed);
for (const [outcome, count] of [...counts].sort((a, b) => b[1] - a[1])) {
  process.stdout.write(`${String(count).padStart(9)}  ${outcome}\n`);
}
for (const difference of differences) process.stdout.write(`\n${difference}\n`);
process.stdout.write(`\n${differences.length} differences, seed ${seed}\n`);
process.exitCode = differences.length === 0 ? 0 : 1;

function numberOf(text: string | undefined, usual: number): number {
  const number = Number(text ?? usual);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error('expected --cases and --seed to be whole numbers');
  }
  return number;
}
