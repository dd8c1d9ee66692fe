// Reads and signs the transactions of ethers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { ethereumFormat } from '../../src/core/chains/ethereum/index.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { readPackedVectors } from '../support/packed_vectors.ts';
import { accountOf, readVectors, type TransactionVector } from '../support/transaction_vectors.ts';
import { bytes as bytesOf } from './vector_files.ts';

const [first] = readVectors<TransactionVector>('ethereum');
assert(first !== undefined);
const account = accountOf(first);
const bytes = (text: string) => bytesOf(text.replace(/^0x/, ''));
const read = (of: Uint8Array) => ethereumFormat.read(of, account);

type Legacy = {
  readonly name: string;
  readonly privateKey: string;
  readonly unsignedTransaction: string;
  readonly unsignedTransactionChainId5: string;
  readonly signedTransaction: string;
  readonly signedTransactionChainId5: string;
};

/** Reads a transaction, signs it and attaches the signature. */
function signedAgain(unsigned: string, privateKey: string): string {
  const transaction = read(bytes(unsigned));
  const [digest] = ethereumFormat.signedBytes(transaction);
  assert(digest !== undefined);
  const signature = curves.CURVE_SECP256K1.sign(bytes(privateKey), digest);
  return `0x${hex(ethereumFormat.attach(transaction, [signature]))}`;
}

test('ethers: legacy transactions, with and without a chain', () => {
  const rows = readPackedVectors<readonly Legacy[]>('ethers/transactions');
  const refused: string[] = [];
  for (const row of rows) {
    const { privateKey, name } = row;
    for (const [unsigned, signed] of [
      [row.unsignedTransaction, row.signedTransaction],
      [row.unsignedTransactionChainId5, row.signedTransactionChainId5],
    ] as const) {
      try {
        assert.equal(signedAgain(unsigned, privateKey), signed, name);
      } catch (error) {
        if (!(error instanceof UnreadableTransaction)) throw error;
        refused.push(error.message);
      }
    }
  }
  assert.equal(rows.length, 1_067);
  assert.deepEqual(
    [...new Set(refused)],
    ['gas: expected an integer of at most 8 bytes, got 9 bytes'],
  );
});

type Typed = {
  readonly name: string;
  readonly key: string;
  readonly unsigned: string;
  readonly signed: string;
};

test('ethers: types 1 and 2', () => {
  const rows = readPackedVectors<readonly Typed[]>('ethers/typed_transactions');
  const refused = new Map<string, number>();
  for (const { name, key, unsigned, signed } of rows) {
    try {
      assert.equal(signedAgain(unsigned, key), signed, name);
    } catch (error) {
      if (!(error instanceof UnreadableTransaction)) throw error;
      refused.set(error.message, (refused.get(error.message) ?? 0) + 1);
    }
  }
  assert.equal(rows.length, 1_792);
  assert.deepEqual(Object.fromEntries(refused), { 'chainId: expected a chain, got 0': 384 });
});
