// node test/transactions/main.ts --chain ethereum --cases 100000 --mutations 100000 --seed 1 // Compares
// the readers of transactions with other libraries, and tries them on changed bytes. Without `--chain`, it
// tries all readers; prints the differences.

import { parseArgs } from 'node:util';
import { namesOf } from '../../src/core/base/table.ts';
import { bitcoinTrial } from './bitcoin_trial.ts';
import { ethereumTrial } from './ethereum_trial.ts';
import { solanaTrial } from './solana_trial.ts';
import { tempoTrial } from './tempo_trial.ts';
import { type ChainTrial, runTrial, type TrialResult } from './trial.ts';
import { tronTrial } from './tron_trial.ts';

const trials: Readonly<Record<string, ChainTrial>> = {
  ethereum: ethereumTrial,
  solana: solanaTrial,
  tron: tronTrial,
  tempo: tempoTrial,
  bitcoin: bitcoinTrial,
};

const { values } = parseArgs({
  options: {
    chain: { type: 'string', multiple: true },
    cases: { type: 'string' },
    mutations: { type: 'string' },
    seed: { type: 'string' },
  },
});
const cases = numberOf('cases', values.cases, 100_000);
const mutations = numberOf('mutations', values.mutations, 0);
const seed = numberOf('seed', values.seed, 1);

for (const chain of values.chain ?? namesOf(trials)) {
  const trial = trials[chain];
  if (trial === undefined) throw new Error(`expected --chain to be of ${namesOf(trials)}`);
  tell(`${chain}, against libraries`, runTrial(trial.differential, cases, seed));
  tell(`${chain}, a byte changed`, runTrial(trial.mutation, mutations, seed));
}

function tell(what: string, { counts, problems }: TrialResult): void {
  process.stdout.write(`${what}, seed ${seed}\n`);
  for (const [outcome, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`${String(count).padStart(9)}  ${outcome}\n`);
  }
  for (const problem of problems) process.stdout.write(`\n${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function numberOf(name: string, text: string | undefined, usual: number): number {
  const number = Number(text ?? usual);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`expected --${name} to be a whole number`);
  }
  return number;
}
