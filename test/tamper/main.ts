// `npm run tamper -- --store postgres --attacks 1000 --seed abc` attacks databases, each separately, and
// then queries the services on them. `--from 42 --attacks 1` with the same seed repeats attack 42 alone.
// `--after-tests` continues the attacks of the tests with their seed.

import { parseArgs } from 'node:util';
import { verdicts } from './judge.ts';
import { attacksOfTests, prepareTampering, type TamperResult, tamper } from './tamper.ts';
import { targetsOf } from './targets.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    store: { type: 'string', default: 'both' },
    attacks: { type: 'string', default: '500' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now()) },
    'after-tests': { type: 'boolean', default: false },
    /** After each attack, one probe out of this many is sent. */
    'asked-one-in': { type: 'string', default: '5' },
    /** Also prints the verdicts of each kind of attack. */
    table: { type: 'boolean', default: false },
  },
});
const { seed, from } = values['after-tests']
  ? { seed: attacksOfTests.seed, from: attacksOfTests.attacks }
  : { seed: values.seed, from: Number(values.from) };
const attacks = Number(values.attacks);
const stores = values.store === 'both' ? Object.keys(targetsOf) : [values.store];
for (const name of stores) {
  const open = targetsOf[name];
  if (open === undefined) throw new Error(`--store takes sqlite, postgres or both, not ${name}`);
  const startMs = performance.now();
  const targets = await open();
  // Without a server, `targetsOf` prints the reason itself.
  if (targets === undefined) continue;
  print(`${name}: seed ${seed}, attacks ${from} to ${from + attacks - 1}`);
  const tampering = await prepareTampering(targets);
  const askedOneIn = Number(values['asked-one-in']);
  const result = await tamper(tampering, { seed, from, attacks, askedOneIn });
  await targets.remove();
  for (const { attack, complaint } of result.findings) print(`${attack}\n  ${complaint}`);
  if (values.table) for (const line of tableOf(result)) print(line);
  const counts = verdicts.map((verdict) => `${result.counts[verdict] ?? 0} ${verdict}`);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  print(`${name}: ${result.kinds.size} kinds; answers: ${counts.join(', ')}; ${seconds} s`);
  if (result.findings.length > 0) process.exitCode = 1;
}

/** Returns, for each kind of attack, how often it alone led to each verdict. */
function tableOf({ kinds }: TamperResult): readonly string[] {
  return [...kinds].map(([kind, attacksOfKind]) => {
    const cells = verdicts.map((verdict) => {
      const led = attacksOfKind.filter((counts) => (counts[verdict] ?? 0) > 0);
      return `${verdict} ${led.length}`;
    });
    return `${kind} | ${attacksOfKind.length} | ${cells.join(' | ')}`;
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
