// `npm run fuzz -- --cases 1000000 --bodies 50000 --seed abc` sends random stamps, then random bodies,
// until an answer is wrong. `--from 1234 --cases 1 --bodies 0` repeats one stamp.

import { parseArgs } from 'node:util';
import { fuzzBodies } from './body_fuzz.ts';
import { fuzzStamps } from './stamp_fuzz.ts';
import { strainText } from './strain.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    bodies: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now()) },
    from: { type: 'string', default: '0' },
  },
});
const { seed } = values;
const [cases, bodies, from] = [values.cases, values.bodies, values.from].map(Number);
print(`--seed ${seed} --cases ${cases} --bodies ${bodies} --from ${from}`);
if (cases !== undefined && cases > 0) {
  const { accepted, refused, strained } = await fuzzStamps({
    cases,
    seed,
    from: from ?? 0,
    progress: (done) => {
      if (done % 20_000 === 0) print(`${done} stamps`);
    },
  });
  print(`stamps: ${accepted} accepted, ${refused} refused, each as it should be`);
  print(`        ${strainText(strained)}`);
}
if (bodies !== undefined && bodies > 0) {
  const { accepted, refused, strained } = await fuzzBodies({ cases: bodies, seed });
  print(`bodies: ${accepted} accepted, ${refused} refused`);
  print(`        ${strainText(strained)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
