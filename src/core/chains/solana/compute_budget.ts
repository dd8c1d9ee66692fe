// Instructions of the compute budget program: a tag of one byte, then a number.

import type { SolanaInstruction } from './transaction.ts';

/** A decoded compute budget instruction. */
type BudgetCall = {
  readonly name: 'heapSize' | 'computeUnitLimit' | 'computeUnitPrice' | 'loadedAccountsDataSize';
  /** In bytes, compute units, or millionths of a lamport per compute unit. */
  readonly value: bigint;
};

const rows: ReadonlyMap<number, readonly [name: BudgetCall['name'], byteCount: number]> = new Map([
  [1, ['heapSize', 4]],
  [2, ['computeUnitLimit', 4]],
  [3, ['computeUnitPrice', 8]],
  [4, ['loadedAccountsDataSize', 4]],
]);

/** Reads an instruction; undefined if the network rejects it. Like the network, ignores surplus bytes. */
export function readBudgetCall({ data }: SolanaInstruction): BudgetCall | undefined {
  const [tag = 0] = data;
  const row = rows.get(tag);
  if (row === undefined || data.length < 1 + row[1]) return undefined;
  const [name, byteCount] = row;
  const bytes = data.subarray(1, 1 + byteCount);
  return { name, value: bytes.reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n) };
}
