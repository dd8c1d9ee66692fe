// Reads RLP into items with the reader for transactions.

import type { RlpItem } from '../../src/core/payload/rlp.ts';
import {
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
} from '../../src/core/payload/rlp_reader.ts';

/** Returns the RLP item in the bytes. Raises `RangeError`. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  return itemOf(readRlp(bytes, refuse));
}

function itemOf(item: RlpSlice): RlpItem {
  if (!item.isList) return rlpBytes(item, refuse);
  return readRlpItems(item, 10_000, refuse).map(itemOf);
}

function refuse(problem: string): never {
  throw new RangeError(problem);
}
