import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import { tempoKind } from '../../../src/core/transactions/tempo/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

for (const vector of readVectors<TransactionVector>('tempo')) {
  test(`${vector.name}: policies see its contents`, () => {
    const account = accountOf(vector);
    const transaction = tempoKind.format.read(vectorBytes(vector.unsignedTransaction), account);
    const facts = tempoKind.facts(transaction, account, new Map());
    assert.deepEqual(facts, readStruct('Condition', vector.facts, '', otherBitcoinSpellings));
  });
}
