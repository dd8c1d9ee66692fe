import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import { tronKind } from '../../../src/core/transactions/tron/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

for (const vector of readVectors<TransactionVector>('tron')) {
  test(`${vector.name}: policies see its contents`, () => {
    const account = accountOf(vector);
    const transaction = tronKind.format.read(vectorBytes(vector.unsignedTransaction), account);
    const facts = tronKind.facts(transaction, account, new Map());
    assert.deepEqual(facts, readStruct('Condition', vector.facts, '', otherBitcoinSpellings));
  });
}
