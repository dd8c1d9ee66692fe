import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStruct } from '../../../src/core/policy/simulator/policy_test_facts.ts';
import { bitcoinKind } from '../../../src/core/transactions/bitcoin.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

for (const vector of readVectors<TransactionVector>('bitcoin')) {
  test(`${vector.name}: policies see what is in it`, () => {
    const account = accountOf(vector);
    const transaction = bitcoinKind.format.read(vectorBytes(vector.unsignedTransaction), account);
    const facts = bitcoinKind.facts(transaction, account, new Map());
    assert.deepEqual(facts, readStruct('Condition', vector.facts, ''));
  });
}
