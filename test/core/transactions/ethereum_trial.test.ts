import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ethereumTrial } from '../../transactions/ethereum_trial.ts';
import { runTrial } from '../../transactions/trial.ts';

test('changed transactions are read like in viem, ethers and ox, or refused with a reason', () => {
  const { counts, problems } = runTrial(ethereumTrial.differential, 1_500, 20_261_122);
  assert.deepEqual(problems, []);
  assert.ok((counts.get('accepted') ?? 0) > 300);
});

test('a changed byte changes a fact, or is refused', () => {
  const { counts, problems } = runTrial(ethereumTrial.mutation, 5_000, 20_261_122);
  assert.deepEqual(problems, []);
  assert.ok((counts.get('another fact') ?? 0) > 1_000);
});
