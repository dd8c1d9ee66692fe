// A few of the cases of Solana. `npm run transactions` runs hundreds of thousands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solanaTrial } from './solana_trial.ts';
import { runTrial } from './trial.ts';

test('changed transactions are read as by kit and web3.js, or refused by a rule of the network', () => {
  const cases = 1000;
  const { counts, problems } = runTrial(solanaTrial.differential, cases, 7);
  assert.deepEqual(problems, []);
  assert.ok((counts.get('accepted') ?? 0) > cases / 10);
  const rules = [...counts.keys()].filter((name) => name.startsWith('refused by the rules'));
  assert.ok(rules.length >= 9, `${rules.length} rules of the network are met`);
});

test('a changed byte changes a fact or what is signed, or is refused', () => {
  const cases = 5000;
  const { counts, problems } = runTrial(solanaTrial.mutation, cases, 7);
  assert.deepEqual(problems, []);
  assert.ok((counts.get('another fact') ?? 0) > cases / 4);
  assert.ok((counts.get('refused') ?? 0) > cases / 10);
});
