// A Solana transaction in its wire form: legacy, version 0 and version 1 (SIMD-0385).

import { base58Key } from './base58_key.ts';
import type { EncodedInstruction } from './instruction.ts';
import type { SystemCall } from './system_program.ts';
import type { TokenCall } from './token_program.ts';

export type SolanaVersion = 'LEGACY' | 'V0' | 'V1';

export type SolanaTransaction = {
  readonly version: SolanaVersion;
  /** The complete transaction as received. */
  readonly bytes: Uint8Array;
  /** The part of `bytes` that every signer signs. */
  readonly message: Uint8Array;
  /** One slot of 64 bytes per signer; zeros until it signs. */
  readonly signatures: readonly Uint8Array[];
  /** The slot of the signing account. */
  readonly slot: number;
  readonly header: MessageHeader;
  /** The keys in the message, 32 bytes each; the first pays the fee. */
  readonly keys: readonly Uint8Array[];
  /** The same keys in base58. */
  readonly addresses: readonly string[];
  /** A recent block hash, or the value of a durable nonce: 32 bytes. */
  readonly lifetime: Uint8Array;
  readonly instructions: readonly SolanaInstruction[];
  /** Lookup tables (version 0 only), whose accounts are not in the message. */
  readonly tables: readonly TableLookup[];
  /** Only in version 1. */
  readonly config?: TransactionConfig;
};

/** Numbers of signers, read-only signers, and other read-only keys. */
export type MessageHeader = {
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
};

export type SolanaInstruction = EncodedInstruction & {
  /** The meaning of the instruction, for the system program and the token programs. */
  readonly call?: SystemCall | TokenCall;
};

export type TableLookup = {
  readonly key: Uint8Array;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
};

/** The config of version 1. A member is absent if the mask does not include it. */
export type TransactionConfig = {
  /** In lamports, for the whole transaction. */
  readonly priorityFee?: bigint;
  readonly computeUnitLimit?: number;
  /** In bytes. */
  readonly loadedAccountsDataSizeLimit?: number;
  /** In bytes. */
  readonly heapSize?: number;
};

/** One account of a lookup table. */
export type TableReference = {
  /** In base58. */
  readonly table: string;
  readonly index: number;
  readonly writable: boolean;
};

/** Returns the accounts of tables in the order of the runtime: first all writable ones, then the others. */
export function tableReferences(tables: readonly TableLookup[]): readonly TableReference[] {
  const named = tables.map((lookup) => ({ ...lookup, table: base58Key(lookup.key) }));
  return [
    ...named.flatMap(({ table, writable }) => referencesTo(table, writable, true)),
    ...named.flatMap(({ table, readonly }) => referencesTo(table, readonly, false)),
  ];
}

const referencesTo = (
  table: string,
  indexes: Uint8Array,
  writable: boolean,
): readonly TableReference[] => Array.from(indexes, (index) => ({ table, index, writable }));

/** Returns true if the key at this index signs. */
export const isSigner = ({ header }: SolanaTransaction, index: number): boolean =>
  index < header.requiredSignatures;

/** Returns true if the header allows programs to write to the key at this index. */
export function isWritable({ header, keys }: SolanaTransaction, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
  return index < keys.length - readonlyUnsigned;
}
