// `npm run fuzz -- --cases 1000000 --seed abc`: random stamps until a difference is found.
// `--from 1234 --cases 1` sends one case again.

import { parseArgs } from 'node:util';
import { fuzzStamps } from './stamp_fuzz.ts';
import { strainText } from './strain.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now()) },
    from: { type: 'string', default: '0' },
  },
});
const { seed } = values;
const [cases, from] = [Number(values.cases), Number(values.from)];
print(`seed ${seed}, ${cases} cases from ${from}`);
const { accepted, refused, strained } = await fuzzStamps({
  cases,
  seed,
  from,
  progress: (done) => {
    if (done % 20_000 === 0) print(`${done} cases`);
  },
});
print(`stamps: ${accepted} accepted, ${refused} refused, each as it should be`);
print(`        ${strainText(strained)}`);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
