// `node test/tamper/main.ts -- --attacks 1000 --seed abc`: attacks a database at rest. `--from 42
// --attacks 1` with the same seed repeats attack 42 alone.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareTampering, sqliteTargets, tamper } from './tamper.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    attacks: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const { seed } = values;
const from = Number(values.from);
const attacks = Number(values.attacks);
print(`seed ${seed}, attacks ${from} to ${from + attacks - 1}`);
const directory = mkdtempSync(join(tmpdir(), 'keywright-'));
const tampering = await prepareTampering(sqliteTargets(directory));
const { answers, refusals, findings, kinds } = await tamper(tampering, { seed, from, attacks });
rmSync(directory, { recursive: true });
for (const { attack, complaint } of findings) print(`${attack}\n  ${complaint}`);
print(
  `${kinds.size} kinds of attack, ${answers} answers, ${refusals} of them refusals, ${findings.length} wrong`,
);
process.exitCode = findings.length === 0 ? 0 : 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
