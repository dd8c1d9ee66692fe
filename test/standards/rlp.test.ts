// RLP of ethereum/tests and of ethers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { encodeRlp, type RlpItem, rlpInteger } from '../../src/core/payload/rlp.ts';
import {
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
} from '../../src/core/payload/rlp_reader.ts';
import { readPackedVectors } from '../support/packed_vectors.ts';
import { bytes as bytesOf, readVectors } from './vector_files.ts';

function refuse(problem: string): never {
  throw new RangeError(problem);
}

function itemValue(item: RlpSlice): RlpItem {
  if (!item.isList) return rlpBytes(item, refuse);
  return readRlpItems(item, 10_000, refuse).map(itemValue);
}

const read = (digits: string) => itemValue(readRlp(bytesOf(digits.replace(/^0x/, '')), refuse));
const written = (item: RlpItem) => `0x${hex(encodeRlp(item))}`;

type Value = string | number | readonly Value[];
type Case = { readonly in: Value; readonly out: string };

/** Text, a number, or `#` and a large number. */
function itemOf(value: Value): RlpItem {
  if (typeof value === 'number') return rlpInteger(BigInt(value));
  if (typeof value !== 'string') return value.map(itemOf);
  return value.startsWith('#') ? rlpInteger(BigInt(value.slice(1))) : utf8(value);
}

const valid = Object.entries(readVectors<Record<string, Case>>('ethereum_tests/rlp_valid.json'));
for (const [name, { in: value, out }] of valid) {
  test(`ethereum/tests ${name}: written and read`, () => {
    assert.equal(written(itemOf(value)), out.toLowerCase());
    assert.deepEqual(read(out), itemOf(value));
  });
}

const invalid = Object.entries(
  readVectors<Record<string, Case>>('ethereum_tests/rlp_invalid.json'),
);
for (const [name, { out }] of invalid) {
  test(`ethereum/tests ${name}: refused`, () => assert.throws(() => read(out), RangeError));
}

test('ethereum/tests: what was tried', () => {
  assert.deepEqual([valid.length, invalid.length], [28, 26]);
  const random = Object.values(readVectors<Record<string, Case>>('ethereum_tests/rlp_random.json'));
  for (const { out } of random) assert.equal(written(read(out)), out);
});

test('ethers: read and written', () => {
  type Row = { readonly name: string; readonly encoded: string; readonly decoded: Decoded };
  const rows = readPackedVectors<readonly Row[]>('ethers/rlp_coder');
  assert.equal(rows.length, 61);
  for (const { name, encoded, decoded } of rows) {
    assert.deepEqual(read(encoded), decodedItem(decoded), name);
    assert.equal(written(decodedItem(decoded)), encoded, name);
  }
});

type Decoded = string | readonly Decoded[];

function decodedItem(value: Decoded): RlpItem {
  return typeof value === 'string' ? bytesOf(value.slice(2)) : value.map(decodedItem);
}
