// Builds Solana transactions for tests, also invalid ones.

import { base58 } from '@scure/base';
import type { SigningAccount } from '../../../../src/core/chains/chain.ts';
import type {
  MessageHeader,
  SolanaTransaction,
  SolanaVersion,
  TableLookup,
  TransactionConfig,
} from '../../../../src/core/chains/solana/transaction.ts';
import { writeTransaction } from '../../../../src/core/chains/solana/write.ts';

export type Parts = {
  readonly version?: SolanaVersion;
  readonly header?: Partial<MessageHeader>;
  readonly signatureCount?: number;
  /** Keys: a number for 32 equal bytes, or base58. */
  readonly keys?: readonly (number | string)[];
  readonly instructions?: readonly {
    readonly program: number;
    readonly accounts?: readonly number[];
    readonly data?: string | Uint8Array;
  }[];
  readonly tables?: readonly {
    readonly key: number;
    readonly writable?: readonly number[];
    readonly readonly?: readonly number[];
  }[];
  readonly config?: TransactionConfig;
};

/** The account of the tests: its key is 32 bytes of value 1. */
export const account: SigningAccount = {
  address: base58.encode(new Uint8Array(32).fill(1)),
  format: 'ADDRESS_FORMAT_SOLANA',
  publicKey: new Uint8Array(32).fill(1),
};

/** Returns base58 of 32 equal bytes. */
export const keyText = (byte: number): string => base58.encode(new Uint8Array(32).fill(byte));

export const keyOf = (key: number | string): Uint8Array =>
  typeof key === 'string' ? base58.decode(key) : new Uint8Array(32).fill(key);

/** Returns the bytes of a transaction; omitted parts default to a valid transaction with one signer. */
export function build(parts: Parts): Uint8Array {
  const { version = 'LEGACY', keys = [1, 2, 3], instructions = [], tables = [], config } = parts;
  const header = { requiredSignatures: 1, readonlySigned: 0, readonlyUnsigned: 0, ...parts.header };
  const { signatureCount = header.requiredSignatures } = parts;
  const transaction: Parameters<typeof writeTransaction>[0] = {
    version,
    signatures: Array.from({ length: signatureCount }, () => new Uint8Array(64)),
    header,
    keys: keys.map(keyOf),
    lifetime: new Uint8Array(32).fill(9),
    instructions: instructions.map(({ program, accounts = [], data = '' }) => ({
      programIndex: program,
      accounts: Uint8Array.from(accounts),
      data: typeof data === 'string' ? Uint8Array.fromHex(data) : data,
    })),
    tables: tables.map(
      ({ key, writable = [], readonly = [] }): TableLookup => ({
        key: keyOf(key),
        writable: Uint8Array.from(writable),
        readonly: Uint8Array.from(readonly),
      }),
    ),
    ...(config === undefined ? {} : { config }),
  } satisfies Partial<SolanaTransaction>;
  return writeTransaction(transaction);
}

/** Returns eight bytes in hex, lowest byte first. */
export function u64(value: bigint): string {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes.toHex();
}
