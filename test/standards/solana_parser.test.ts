// Transactions from the tests of the public Solana parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base58 } from '@scure/base';
import { concatBytes } from '../../src/core/base/bytes.ts';
import { readTransaction } from '../../src/core/chains/solana/read.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { readByKit, readByWeb3, viewOf } from '../transactions/solana_oracles.ts';
import { bytes, readVectors } from './vector_files.ts';

type Row = {
  readonly name: string;
  readonly form: 'transaction' | 'message';
  readonly expected: 'read' | 'refused';
  readonly bytes: string;
};
const rows = readVectors<readonly Row[]>('solana_parser/transactions.json');

test('there are 18 rows', () => assert.equal(rows.length, 18));

for (const { name, form, expected, bytes: text } of rows) {
  test(`${name}: ${expected}, as other libraries do`, () => {
    const transaction = form === 'transaction' ? bytes(text) : withSlots(bytes(text));
    const account = firstSigner(transaction);
    if (expected === 'refused') {
      assert.throws(() => readTransaction(transaction, account), UnreadableTransaction);
      return;
    }
    const view = viewOf(readTransaction(transaction, account));
    assert.deepEqual(view, readByKit(transaction));
    assert.deepEqual(view, readByWeb3(transaction));
    assert.throws(() => readTransaction(bytes(`${text}00`), account), UnreadableTransaction);
  });
}

/** Returns a message after as many empty signatures as its header requires. */
function withSlots(message: Uint8Array): Uint8Array {
  const isVersioned = (message[0] ?? 0) >= 0x80;
  const count = message[isVersioned ? 1 : 0] ?? 0;
  return concatBytes(Uint8Array.of(count), new Uint8Array(64 * count), message);
}

/** Returns the first key of the transaction, which pays for it. */
function firstSigner(transaction: Uint8Array) {
  const message = transaction.subarray(1 + 64 * (transaction[0] ?? 0));
  const header = (message[0] ?? 0) >= 0x80 ? 4 : 3;
  // The number of keys has two bytes from 128 on.
  const start = header + ((message[header] ?? 0) >= 0x80 ? 2 : 1);
  const publicKey = message.slice(start, start + 32);
  return {
    address: base58.encode(publicKey),
    format: 'ADDRESS_FORMAT_SOLANA',
    publicKey,
  } as const;
}
