// Instructions of the compute budget program: a tag of one byte, then a number.

import type { SolanaInstruction } from './transaction.ts';

/** The request of a compute budget instruction. */
type BudgetCall = {
  readonly name: 'heapSize' | 'computeUnitLimit' | 'computeUnitPrice' | 'loadedAccountsDataSize';
  /** Bytes, compute units, or millionths of a lamport for each compute unit. */
  readonly value: bigint;
};

const rows: ReadonlyMap<number, readonly [name: BudgetCall['name'], byteCount: number]> = new Map([
  [1, ['heapSize', 4]],
  [2, ['computeUnitLimit', 4]],
  [3, ['computeUnitPrice', 8]],
  [4, ['loadedAccountsDataSize', 4]],
]);

/** Reads an instruction; undefined where the network could not. Surplus bytes are ignored, as there. */
export function readBudgetCall({ data }: SolanaInstruction): BudgetCall | undefined {
  const [tag = 0] = data;
  const row = rows.get(tag);
  if (row === undefined || data.length < 1 + row[1]) return undefined;
  const [name, byteCount] = row;
  const bytes = data.subarray(1, 1 + byteCount);
  return { name, value: bytes.reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n) };
}
