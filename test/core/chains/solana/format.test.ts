// Reads and signs Solana transactions of the shared vectors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solanaFormat } from '../../../../src/core/chains/solana/sign.ts';
import { writeTransaction } from '../../../../src/core/chains/solana/write.ts';
import { ed25519 } from '../../../../src/core/crypto/ed25519.ts';
import { accountOf, malformedVectors, refusalOf, solanaVectors } from './vectors.ts';

test('all shared vectors are there', () => {
  assert.equal(solanaVectors.length, 48);
  assert.equal(malformedVectors.length, 29);
});

for (const vector of solanaVectors) {
  test(`is read and signed: ${vector.name}`, () => {
    const account = accountOf(vector);
    const bytes = Uint8Array.fromHex(vector.unsignedTransaction);
    const transaction = solanaFormat.read(bytes, account);
    assert.equal(writeTransaction(transaction).toHex(), vector.unsignedTransaction);

    const [message, ...more] = solanaFormat.signedBytes(transaction);
    assert(message !== undefined);
    assert.deepEqual(more, []);
    assert.equal(message.toHex(), vector.message);

    const { r, s } = ed25519.sign(Uint8Array.fromHex(vector.privateKey), message);
    assert.equal(r.toHex() + s.toHex(), vector.signature);
    const signed = solanaFormat.attach(transaction, [{ r, s, v: 0 }]);
    assert.equal(signed.toHex(), vector.signedTransaction);
    assert.equal(bytes.toHex(), vector.unsignedTransaction, 'what came is not changed');

    // Signing again overwrites the own slot, keeps the others, and gives the same bytes.
    const again = solanaFormat.read(signed, account);
    assert.equal(solanaFormat.attach(again, [{ r, s, v: 0 }]).toHex(), vector.signedTransaction);
  });
}

/** The path and the reason of each refusal. */
const refusals: Readonly<Record<string, string | undefined>> = {
  'byte after a legacy message': 'message: expected the end behind it, got 1 more bytes',
  'last byte missing': 'instructions[0]: expected 12 bytes, got the end after 11',
  'account count in two bytes': 'account_keys: expected the shortest form of a length',
  'data length in three bytes': 'instructions[0]: expected the shortest form of a length',
  'length that never ends': 'instructions: expected a length of at most three bytes',
  'more signatures than signers': 'signatures: expected 1, one per signer, got 2',
  'version 1 in the layout of version 0':
    'message: expected a legacy message or version 0 behind the signatures, got version 1',
  'legacy message without signatures':
    'message: expected a legacy message or version 0 behind the signatures, got version 27',
  'v1, byte after the signatures': 'signatures: expected the end behind it, got 1 more bytes',
  'v1, no signatures': 'signatures: expected 64 bytes, got the end after 0',
  'v1, half of the priority fee': 'config.priority_fee_lamports: expected bits 0 and 1 together',
  'v1, heap of 33000 bytes':
    'config.heap_size: expected a multiple of 1024 from 32768 to 262144, got 33000',
  'v1, 65 accounts': 'account_keys: expected at most 64 keys, got 65',
  'v1, thirteen signers': 'header: expected at most 12 signers, got 13',
  'v1, account index beyond the keys': 'instructions[0]: expected one of 3 accounts, got index 3',
  'v1, the same key twice': 'account_keys[2]: the same key stands there twice',
  'v1, signWith does not sign':
    'account_keys[1]: expected the account among the signers; it is there and does not sign',
  'account index beyond the keys': 'instructions[0]: expected one of 3 accounts, got index 3',
  'the fee payer is the program':
    'instructions[0]: expected a program that is not the account that pays',
  'table of which nothing is used': 'address_table_lookups[0]: expected at least one index',
  '257 accounts with those of tables':
    'address_table_lookups: expected at most 256 accounts, got 257',
  'the fee payer is readonly': 'header: expected that the first account, which pays, is writable',
  'more signers than accounts':
    'header: expected at most 3 accounts, got 4 signers and 0 readonly accounts',
  'the fee payer twice': 'account_keys[1]: the same key stands there twice',
  'signWith does not sign':
    'account_keys[1]: expected the account among the signers; it is there and does not sign',
  'System transfer cut off': 'instructions[0]: expected 4 bytes, got the end after 1',
  // Accepted as an unknown instruction: test/core/transactions/solana_unknown.test.ts.
  'System instruction of an unknown number': undefined,
  'token instruction without data': 'instructions[0]: expected another byte, got the end',
};

for (const vector of malformedVectors) {
  test(`is refused: ${vector.name}`, () => {
    // Invalid hex is refused before the transaction is read.
    if (vector.code === 'hex') {
      assert.throws(() => Uint8Array.fromHex(vector.unsignedTransaction), SyntaxError);
      return;
    }
    assert.equal(
      refusalOf(Uint8Array.fromHex(vector.unsignedTransaction), accountOf(vector)),
      refusals[vector.name],
    );
  });
}
