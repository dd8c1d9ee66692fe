import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../../src/core/base/bytes.ts';
import { tempoFormat } from '../../../../src/core/chains/tempo/index.ts';
import { writeTempo } from '../../../../src/core/chains/tempo/write.ts';
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
const vectors = readVectors<Vector>('tempo');

test('there are ten transactions', () => assert.equal(vectors.length, 10));

for (const vector of vectors) {
  test(`${vector.name}: read, written again and signed`, () => {
    const bytes = vectorBytes(vector.unsignedTransaction);
    const transaction = tempoFormat.read(bytes, accountOf(vector));
    assert.deepEqual(writeTempo(transaction), bytes);
    const [digest, ...more] = tempoFormat.signedBytes(transaction);
    assert.ok(digest !== undefined && more.length === 0);
    assert.equal(hex(digest), vector.signingHash);
    const signature = curves[vector.curve].sign(vectorBytes(vector.privateKey), digest);
    const signed = tempoFormat.attach(transaction, [signature]);
    assert.equal(hex(signed), vector.signedTransaction);
    assert.throws(() => tempoFormat.read(signed, accountOf(vector)), UnreadableTransaction);
  });
}

/** The path and the reason of each refusal. */
const refusals: Readonly<Record<string, string>> = {
  'no calls': 'calls: expected at least one call',
  'call with a value': 'calls[0].value: expected no value',
  'authorization list': 'authorizationList: expected an empty list',
  'fee token of 19 bytes': 'feeToken: expected 20 bytes or none, got 19',
  'byte after it': 'transaction: expected nothing after it, got 1 byte',
  'fee payer form 78': 'type: expected 76, got 78',
};

const malformed = readVectors<MalformedVector>('malformed').filter(
  // Invalid hex is refused before the transaction is read.
  ({ chain, code }) => chain === 'tempo' && code !== 'hex',
);

for (const { name, unsignedTransaction } of malformed) {
  test(`${name}: refused`, () => {
    const [account] = vectors.map(accountOf);
    assert.ok(account !== undefined);
    assert.throws(
      () => tempoFormat.read(vectorBytes(unsignedTransaction), account),
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
