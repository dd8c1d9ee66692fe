import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../../src/core/base/bytes.ts';
import { ethereumFormat } from '../../../../src/core/chains/ethereum/index.ts';
import { writeEthereum } from '../../../../src/core/chains/ethereum/write.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import { curves } from '../../../../src/core/crypto/curves.ts';
import {
  accountOf,
  type MalformedVector,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../../support/transaction_vectors.ts';

type Vector = TransactionVector & { readonly signingHash: string };
const vectors = readVectors<Vector>('ethereum');

test('there are sixty transactions', () => assert.equal(vectors.length, 60));

for (const vector of vectors) {
  test(`${vector.name}: read, written again and signed`, () => {
    const bytes = vectorBytes(vector.unsignedTransaction);
    const transaction = ethereumFormat.read(bytes, accountOf(vector));
    assert.deepEqual(writeEthereum(transaction), bytes);
    const [digest, ...more] = ethereumFormat.signedBytes(transaction);
    assert.ok(digest !== undefined && more.length === 0);
    assert.equal(hex(digest), vector.signingHash);
    const signature = curves[vector.curve].sign(vectorBytes(vector.privateKey), digest);
    const signed = ethereumFormat.attach(transaction, [signature]);
    assert.equal(hex(signed), vector.signedTransaction);
    assert.throws(() => ethereumFormat.read(signed, accountOf(vector)), UnreadableTransaction);
  });
}

/** The path and the reason of each refusal. */
const refusals: Readonly<Record<string, string>> = {
  'byte after a legacy transaction': 'transaction: expected nothing after it, got 1 byte',
  'two legacy transactions': 'transaction: expected nothing after it, got 45 bytes',
  'nothing after the type': 'transaction: expected an item, got no bytes',
  'value with a leading zero': 'value: expected an integer without leading zeros',
  'fee with a leading zero': 'maxFeePerGas: expected an integer without leading zeros',
  'short string in the long form': 'to: expected the short form for 20 bytes',
  'list in the long form though short': 'accessList: expected a length without leading zeros',
  'address of 19 bytes': 'to: expected 20 bytes, got 19',
  'address of 32 bytes': 'to: expected 20 bytes, got 32',
  'legacy of seven fields': 'transaction: expected 6 or 9 fields, got 7',
  'type 2 of ten fields': 'transaction: expected 9 fields, got 10',
  'type 2, signed already': 'transaction: expected no signature yet',
  'legacy, last field one': 's: expected no signature yet',
  'type 0': 'type: expected a list, or 01, 02, 03 or 04 before it, got 00',
  'a string around the transaction': 'type: expected a list, or 01, 02, 03 or 04 before it, got b2',
  'nonce 2^64-1': 'nonce: expected at most 18446744073709551614',
  'value beyond 256 bits': 'value: expected an integer of at most 32 bytes, got 33 bytes',
  'data is a list': 'data: expected bytes, got a list',
  'access list is a string': 'accessList: expected a list, got 0 bytes',
  'access list entry with a short address': 'accessList[0].address: expected 20 bytes, got 2',
  'access list nested a thousand times':
    'accessList[0]: expected an address and a list of storage keys',
  'type 3 without blobs': 'blobVersionedHashes: expected at least one hash',
  'type 3, hash of 31 bytes': 'blobVersionedHashes[0]: expected 32 bytes, got 31',
  'type 4 without a receiver': 'to: expected 20 bytes, got 0',
  'type 4, authorization of five':
    'authorizationList[0]: expected chainId, address, nonce, yParity, r and s',
  'type 4, parity with a leading zero':
    'authorizationList[0].yParity: expected an integer without leading zeros',
};

const malformed = readVectors<MalformedVector>('malformed').filter(
  // Invalid hex is refused before the transaction is read.
  ({ chain, code }) => chain === 'ethereum' && code !== 'hex',
);

for (const { name, unsignedTransaction } of malformed) {
  test(`${name}: refused`, () => {
    const [account] = vectors.map(accountOf);
    assert.ok(account !== undefined);
    assert.throws(
      () => ethereumFormat.read(vectorBytes(unsignedTransaction), account),
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
