import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../../src/core/base/bytes.ts';
import { tronFormat } from '../../../../src/core/chains/tron/index.ts';
import { writeTron } from '../../../../src/core/chains/tron/write.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import { curves } from '../../../../src/core/crypto/curves.ts';
import {
  accountOf,
  type MalformedVector,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../../support/transaction_vectors.ts';

type Vector = TransactionVector & { readonly transactionId: string };
const vectors = readVectors<Vector>('tron');

test('there are twenty transactions', () => assert.equal(vectors.length, 20));

for (const vector of vectors) {
  test(`${vector.name}: read, written again and signed`, () => {
    const bytes = vectorBytes(vector.unsignedTransaction);
    const transaction = tronFormat.read(bytes, accountOf(vector));
    assert.deepEqual(writeTron(transaction.raw), bytes);
    const [digest, ...more] = tronFormat.signedBytes(transaction);
    assert.ok(digest !== undefined && more.length === 0);
    assert.equal(hex(digest), vector.transactionId);
    const signature = curves[vector.curve].sign(vectorBytes(vector.privateKey), digest);
    const signed = tronFormat.attach(transaction, [signature]);
    assert.equal(hex(signed), vector.signedTransaction);
    assert.throws(() => tronFormat.read(signed, accountOf(vector)), UnreadableTransaction);
  });
}

/** The path and the reason of each refusal. */
const refusals: Readonly<Record<string, string>> = {
  'unknown field': 'raw_data: field 99 is not accepted',
  'expiration twice': 'raw_data: field 8 is repeated, out of order or of another wire type',
  'amount twice': 'raw_data.contract: field 3 is repeated, out of order or of another wire type',
  'amount in more bytes than needed':
    'raw_data.contract.amount: a number is longer than its shortest form',
  'length in more bytes than needed':
    'raw_data.ref_block_bytes: a number is longer than its shortest form',
  'default written out': 'raw_data.fee_limit: zero is written out, expected no field',
  'two contracts': 'raw_data: field 11 is repeated, out of order or of another wire type',
  'type says transfer, URL says call':
    'raw_data.contract.parameter.type_url: expected type.googleapis.com/protocol.TransferContract for type 1',
  'type URL of another form':
    'raw_data.contract.parameter.type_url: expected type.googleapis.com/protocol.TransferContract for type 1',
  'type that is not supported: votes':
    'raw_data.contract.type: expected one of 1, 31, 46, 54, 55, 57, 58, got 4',
  'address with another first byte': 'raw_data.contract.to_address: expected 41 as the first byte',
  'address of 22 bytes': 'raw_data.contract.to_address: expected 21 bytes, got 22',
  'negative amount':
    'raw_data.contract.amount: expected 0 to 9223372036854775807, got a negative or larger number',
  'no expiration': 'raw_data.expiration: is missing',
  'block hash of seven bytes': 'raw_data.ref_block_hash: expected 8 bytes, got 7',
  scripts: 'raw_data: field 12 is not accepted',
  group: 'raw_data: field 163 is not accepted',
  'field zero': 'raw_data.timestamp: expected a field number from 1 to 268435455',
};

const malformed = readVectors<MalformedVector>('malformed').filter(
  // Invalid hex is refused before the transaction is read.
  ({ chain, code }) => chain === 'tron' && code !== 'hex',
);

for (const { name, unsignedTransaction } of malformed) {
  test(`${name}: refused`, () => {
    const [account] = vectors.map(accountOf);
    assert.ok(account !== undefined);
    assert.throws(
      () => tronFormat.read(vectorBytes(unsignedTransaction), account),
      (error) => {
        assert.ok(error instanceof UnreadableTransaction);
        assert.equal(error.message, refusals[name]);
        return true;
      },
    );
  });
}

test('every malformed transaction is there', () => {
  assert.deepEqual(
    malformed.map(({ name }) => name),
    Object.keys(refusals),
  );
});
