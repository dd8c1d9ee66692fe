// A few of the cases. `npm run transactions` runs hundreds of thousands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitcoinTrial } from './bitcoin_trial.ts';
import { viemWritesTheSame } from './tempo_oracles.ts';
import { plainSamples, tempoTrial } from './tempo_trial.ts';
import { type ChainTrial, runTrial } from './trial.ts';
import { tronTrial } from './tron_trial.ts';

const trials: Readonly<Record<string, ChainTrial>> = {
  Tron: tronTrial,
  Tempo: tempoTrial,
  Bitcoin: bitcoinTrial,
};
const cases = 2000;

for (const [chain, { differential, mutation }] of Object.entries(trials)) {
  test(`${chain}: what libraries refuse is refused, the rest agrees in every fact`, () => {
    const { counts, problems } = runTrial(differential, cases, 7);
    assert.deepEqual(problems, []);
    // Most changes make a transaction invalid, but enough valid ones remain for a comparison.
    assert.ok((counts.get('accepted') ?? 0) > cases / 20);
    assert.ok(counts.size > 8, 'each reason to refuse is met');
  });

  test(`${chain}: a changed byte changes a fact or what is signed, or is refused`, () => {
    const { counts, problems } = runTrial(mutation, cases, 7);
    assert.deepEqual(problems, []);
    assert.ok((counts.get('another fact') ?? 0) > cases / 10);
    assert.ok((counts.get('refused') ?? 0) > cases / 10);
  });
}

test('viem reads every vector of Tempo and writes the same bytes', async () => {
  for (const sample of plainSamples) {
    assert.ok(await viemWritesTheSame(sample), sample.toHex());
  }
});
