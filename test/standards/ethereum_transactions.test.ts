// Transactions of ethereum/tests and of ethers: read without their signature, signed again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { ethereumAccount } from '../../src/core/address/ethereum.ts';
import { concatBytes, hex } from '../../src/core/base/bytes.ts';
import { ethereumFormat } from '../../src/core/chains/ethereum/index.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { keccak256 } from '../../src/core/crypto/hashes.ts';
import { recoverSecp256k1 } from '../../src/core/crypto/secp256k1.ts';
import { readPackedVectors } from '../support/packed_vectors.ts';
import { accountOf, readVectors, type TransactionVector } from '../support/transaction_vectors.ts';
import { bytes as bytesOf } from './vector_files.ts';

const [first] = readVectors<TransactionVector>('ethereum');
assert(first !== undefined);
const account = accountOf(first);
const bytes = (text: string) => bytesOf(text.replace(/^0x/, ''));
const read = (of: Uint8Array) => ethereumFormat.read(of, account);

type Signed = {
  readonly unsigned: Uint8Array;
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly v: bigint;
};

/** The parts of a signed transaction, as a lenient library reads them; undefined for what is none. */
function takeApart(signed: Uint8Array): Signed | undefined {
  const isTyped = (signed[0] ?? 0) < 0x80;
  let items: Uint8Array[];
  try {
    items = RLP.decode(isTyped ? signed.subarray(1) : signed) as Uint8Array[];
  } catch {
    return undefined;
  }
  if (!Array.isArray(items) || items.length < 9) return undefined;
  const [v, r, s] = items.splice(-3);
  if (![v, r, s].every((item) => item instanceof Uint8Array)) return undefined;
  const number = BigInt(`0x0${hex(v as Uint8Array)}`);
  if (!isTyped && number >= 35n) {
    const chain = ((number - 35n) / 2n).toString(16);
    const even = chain.padStart(chain.length + (chain.length % 2), '0');
    items.push(chain === '0' ? new Uint8Array() : bytes(even), new Uint8Array(), new Uint8Array());
  }
  const list = RLP.encode(items);
  const unsigned = isTyped ? concatBytes(signed.subarray(0, 1), list) : list;
  return { unsigned, r: r as Uint8Array, s: s as Uint8Array, v: number };
}

const parityOf = (v: bigint): 0 | 1 => ((v >= 27n ? v + 1n : v) % 2n === 0n ? 0 : 1);
const padded = (of: Uint8Array) => concatBytes(new Uint8Array(32 - of.length), of);

/** What cannot be seen without the signature, or without the state of the chain. */
const elsewhere = new Set([
  'EC_RECOVERY_FAIL',
  'GASLIMIT_PRICE_PRODUCT_OVERFLOW',
  'INITCODE_SIZE_EXCEEDED',
  'INTRINSIC_GAS_TOO_LOW',
  'INVALID_CHAINID',
  'INVALID_SIGNATURE_VRS',
  'RLP_LEADING_ZEROS_R',
  'RLP_LEADING_ZEROS_S',
  'RLP_LEADING_ZEROS_V',
]);

type Case = {
  readonly txbytes: string;
  readonly exception?: string;
  readonly hash?: string;
  readonly sender?: string;
};
const cases = Object.entries(
  readPackedVectors<Record<string, Case>>('ethereum_tests/transactions'),
);
const counts = new Map<string, number>();

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

for (const [name, { txbytes, exception, hash, sender }] of cases) {
  const reason = exception?.replace('TransactionException.', '');
  test(`ethereum/tests ${name}: ${reason ?? 'valid'}`, () => {
    const signed = bytes(txbytes);
    const parts = takeApart(signed);
    // Without r and s it is the form that EIP-155 has for what is to be signed.
    const isUnsigned = parts?.r.length === 0 && parts.s.length === 0;
    if (!isUnsigned) assert.throws(() => read(signed), UnreadableTransaction);
    if (reason === undefined) {
      assert(parts !== undefined && hash !== undefined && sender !== undefined);
      const transaction = read(parts.unsigned);
      const [digest] = ethereumFormat.signedBytes(transaction);
      assert(digest !== undefined);
      const [r, s, v] = [padded(parts.r), padded(parts.s), parityOf(parts.v)];
      const publicKey = recoverSecp256k1(digest, concatBytes(r, s), v);
      assert(publicKey !== undefined);
      assert.equal(`0x${hex(ethereumAccount(publicKey, 'CURVE_SECP256K1'))}`, sender.toLowerCase());
      assert.deepEqual(ethereumFormat.attach(transaction, [{ r, s, v }]), signed);
      assert.equal(`0x${hex(keccak256(signed))}`, hash);
      return count('valid');
    }
    if (elsewhere.has(reason)) return count('not about what is read');
    // Bytes that the library cannot take apart were refused as they are.
    if (parts === undefined) return count('no signed transaction');
    assert.throws(() => read(parts.unsigned), UnreadableTransaction);
    return count('refused');
  });
}

test('ethereum/tests: what was tried', () => {
  assert.deepEqual(Object.fromEntries(counts), {
    'no signed transaction': 38,
    'not about what is read': 76,
    refused: 46,
    valid: 50,
  });
});

type Legacy = {
  readonly name: string;
  readonly privateKey: string;
  readonly unsignedTransaction: string;
  readonly unsignedTransactionChainId5: string;
  readonly signedTransaction: string;
  readonly signedTransactionChainId5: string;
};

/** Reads, signs and attaches. */
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
