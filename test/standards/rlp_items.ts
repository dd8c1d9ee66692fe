// RLP read into items, as the readers of transactions read it.

import type { RlpItem } from '../../src/core/payload/rlp.ts';
import {
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
} from '../../src/core/payload/rlp_reader.ts';

/** The item that bytes are. Raises `RangeError`. */
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
