import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SigningKey, Transaction } from 'ethers';
import { bytesOfHex, hex } from '../../../../src/core/base/bytes.ts';
import { readSignedEthereum } from '../../../../src/core/chains/ethereum/read_signed.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import { foreignTransaction } from '../../../operations/sending/send_requests.ts';
import {
  accountOf,
  type MalformedVector,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../../support/transaction_vectors.ts';

const vectors = readVectors<TransactionVector>('ethereum');
const isBlob = ({ signedTransaction }: TransactionVector) => signedTransaction.startsWith('03');
const refusedAt = (place: string) => (error: unknown) =>
  error instanceof UnreadableTransaction && error.place === place;

for (const vector of vectors) {
  test(`${vector.name}: returns the signed content and the signer`, () => {
    const bytes = vectorBytes(vector.signedTransaction);
    if (isBlob(vector)) {
      assert.throws(() => readSignedEthereum(bytes), refusedAt('type'));
      return;
    }
    const { transaction, publicKey } = readSignedEthereum(bytes);
    assert.equal(hex(transaction.bytes), vector.unsignedTransaction);
    assert.deepEqual(publicKey, accountOf(vector).publicKey);
    assert.throws(
      () => readSignedEthereum(vectorBytes(vector.unsignedTransaction)),
      UnreadableTransaction,
      'what nobody signed',
    );
  });
}

test('every changed, removed or added byte is detected', () => {
  const mine = Transaction.from(foreignTransaction());
  const bytes = bytesOfHex(mine.serialized.slice(2)) ?? new Uint8Array();
  const { publicKey } = readSignedEthereum(bytes);
  const readOf = (changed: Uint8Array) => {
    try {
      return readSignedEthereum(changed);
    } catch (error) {
      assert(error instanceof UnreadableTransaction, String(error));
      return undefined;
    }
  };
  for (let i = 0; i < bytes.length; i += 1) {
    for (const bit of [1, 128]) {
      const changed = bytes.slice();
      changed[i] = (changed[i] ?? 0) ^ bit;
      const read = readOf(changed);
      // The changed bytes are another transaction of a random key.
      assert.notDeepEqual(read?.publicKey, publicKey, `byte ${i}`);
      if (read !== undefined) {
        assert.equal(Transaction.from(`0x${hex(changed)}`).fromPublicKey?.length, 132);
      }
    }
  }
  for (let end = 0; end < bytes.length; end += 1) {
    assert.equal(readOf(bytes.subarray(0, end)), undefined, `${end} bytes`);
  }
  assert.equal(readOf(Uint8Array.from([...bytes, 0])), undefined);
});

test('a signature that nodes refuse is refused', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const transaction = Transaction.from(foreignTransaction());
  const { r, s } = new SigningKey(`0x${'0a'.repeat(32)}`).sign(transaction.unsignedHash);
  const low = s.slice(2);
  const high = (order - BigInt(s)).toString(16).padStart(64, '0');
  const given = transaction.serialized.slice(2);
  const withS = (text: string) => vectorBytes(given.replace(low, text));
  assert.equal(given.includes(r.slice(2)), true);
  assert.throws(() => readSignedEthereum(withS(high)), refusedAt('s'));
  assert.throws(() => readSignedEthereum(withS('f'.repeat(64))), refusedAt('s'));
  const withR = (text: string) => vectorBytes(given.replace(r.slice(2), text));
  // No point has this r as its x coordinate.
  assert.throws(() => readSignedEthereum(withR(`${'0'.repeat(63)}5`)), UnreadableTransaction);
  assert.throws(() => readSignedEthereum(withR(`${'f'.repeat(64)}`)), refusedAt('r'));
});

test('a legacy transaction names its chain in its signature, or has none', () => {
  const chainOf = (text: string) =>
    readSignedEthereum(vectorBytes(text.slice(2))).transaction.chainId;
  assert.equal(chainOf(foreignTransaction({ type: 0 })), 1n);
  assert.equal(chainOf(foreignTransaction({ type: 0, chainId: 0 })), undefined);
});

test('a transaction that is malformed unsigned is malformed signed, without another error', () => {
  for (const { chain, unsignedTransaction } of readVectors<MalformedVector>('malformed')) {
    if (chain !== 'ethereum' || !/^(?:[0-9a-f]{2})+$/.test(unsignedTransaction)) continue;
    const read = () => readSignedEthereum(vectorBytes(unsignedTransaction));
    // Two of the rows are malformed only because they are signed.
    if (/^02f87[0-9a-f]01/.test(unsignedTransaction)) continue;
    assert.throws(read, UnreadableTransaction);
  }
});
