// Signed transactions and RLP from the shared tests of Ethereum clients.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAddress } from 'ethers';
import { hex } from '../../src/core/base/bytes.ts';
import {
  readSignedEthereum,
  type SignedEthereum,
} from '../../src/core/chains/ethereum/read_signed.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { keccak256 } from '../../src/core/crypto/hashes.ts';
import { encodeRlp, type RlpItem } from '../../src/core/payload/rlp.ts';
import { decodeRlp } from './rlp_items.ts';
import { bytes, readVectors } from './vector_files.ts';

type Row = {
  readonly name: string;
  readonly bytes: string;
  /** Present for a valid transaction: a hash of 32 bytes, and a sender of 20 bytes. */
  readonly hash?: string;
  readonly sender?: string;
  /** The reason why a node refuses it. */
  readonly exception?: string;
};

/**
 * Faults that depend on the state or the rules of a chain. Nodes find them, and readers of transactions do
 * not.
 */
const ofTheChain = {
  INVALID_CHAINID: 'signed for another chain, which is a chain here',
  INTRINSIC_GAS_TOO_LOW: 'a node refuses to take it',
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: 'more than any account has',
  INITCODE_SIZE_EXCEEDED: 'a node refuses to take it',
};

test('ethereum/tests: signed transactions are read, with their sender, exactly where nodes read them', () => {
  const rows = readVectors<readonly Row[]>('ethereum_tests/transactions.json');
  const counts = { valid: 0, refused: 0, ofTheChain: 0 };
  for (const { name, bytes: text, exception, hash, sender } of rows) {
    const signed = signedOrRefused(bytes(text));
    if (exception === undefined) {
      assert(signed !== undefined, name);
      assert.equal(hex(keccak256(bytes(text))), hash, name);
      assert.equal(computeAddress(`0x${hex(signed.publicKey)}`).toLowerCase(), `0x${sender}`, name);
      counts.valid += 1;
    } else if (signed === undefined) {
      counts.refused += 1;
    } else {
      assert(exception in ofTheChain, `${name}: ${exception}`);
      if (exception === 'INVALID_CHAINID') assert.notEqual(signed.transaction.chainId, 1n, name);
      counts.ofTheChain += 1;
    }
  }
  assert.deepEqual(counts, { valid: 50, refused: 132, ofTheChain: 28 });
});

function signedOrRefused(of: Uint8Array): SignedEthereum | undefined {
  try {
    return readSignedEthereum(of);
  } catch (error) {
    assert(error instanceof UnreadableTransaction, String(error));
    return undefined;
  }
}

/** A text of `#` and digits is a number that JSON cannot represent. */
type Item = string | number | readonly Item[];
type RlpRow = { readonly name: string; readonly in: Item; readonly out: string };

test('ethereum/tests: RLP is written and read, and every other spelling refused', () => {
  const counts = { valid: 0, refused: 0 };
  for (const { name, in: item, out } of readVectors<readonly RlpRow[]>('ethereum_tests/rlp.json')) {
    if (item === 'INVALID') {
      assert.throws(() => decodeRlp(bytes(out)), RangeError, name);
      counts.refused += 1;
      continue;
    }
    const decoded = decodeRlp(bytes(out));
    assert.equal(hex(encodeRlp(decoded)), out.toLowerCase(), name);
    if (item !== 'VALID') assert.deepEqual(decoded, rlpItem(item), name);
    counts.valid += 1;
  }
  assert.deepEqual(counts, { valid: 29, refused: 26 });
});

function rlpItem(item: Item): RlpItem {
  if (typeof item === 'object') return item.map(rlpItem);
  if (typeof item === 'string' && !item.startsWith('#')) return Uint8Array.from(Buffer.from(item));
  const number = BigInt(typeof item === 'string' ? item.slice(1) : item);
  const digits = number === 0n ? '' : number.toString(16);
  return bytes(digits.padStart(digits.length + (digits.length % 2), '0'));
}
