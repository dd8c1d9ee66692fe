// `npm run fuzz -- --cases 1000000 --seed abc`: random stamps until a difference is found.
// `--from 1234 --cases 1` sends one case again.

import { parseArgs } from 'node:util';
import { fuzzStamps } from './stamp_fuzz.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now()) },
    from: { type: 'string', default: '0' },
  },
});
const { seed } = values;
const [cases, from] = [Number(values.cases), Number(values.from)];
print(`seed ${seed}, ${cases} cases from ${from}`);
const { accepted, refused } = await fuzzStamps({
  cases,
  seed,
  from,
  progress: (done) => {
    if (done % 10_000 === 0) print(`${done} cases`);
  },
});
print(`${accepted} accepted, ${refused} refused, each as it should be`);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
