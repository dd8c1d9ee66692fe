// RLP vectors of ethers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { encodeRlp, type RlpItem } from '../../src/core/payload/rlp.ts';
import { readPackedVectors } from '../support/packed_vectors.ts';
import { decodeRlp } from './rlp_items.ts';
import { bytes as bytesOf } from './vector_files.ts';

const read = (digits: string) => decodeRlp(bytesOf(digits.replace(/^0x/, '')));
const written = (item: RlpItem) => `0x${hex(encodeRlp(item))}`;

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
