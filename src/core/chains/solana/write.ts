// Writes a transaction in its canonical encoding.

import { concatBytes } from '../../base/bytes.ts';
import { configBits, versionOneByte } from './read_version_one.ts';
import type { SolanaTransaction, TransactionConfig } from './transaction.ts';

type Written = Pick<
  SolanaTransaction,
  'version' | 'signatures' | 'header' | 'keys' | 'lifetime' | 'instructions' | 'tables' | 'config'
>;

/** Returns the bytes of a transaction from its members. */
export function writeTransaction(transaction: Written): Uint8Array {
  const { version, signatures } = transaction;
  if (version === 'V1') return concatBytes(...versionOneMessage(transaction), ...signatures);
  const count = shortLength(signatures.length);
  return concatBytes(count, ...signatures, ...legacyMessage(transaction));
}

function legacyMessage(transaction: Written): readonly Uint8Array[] {
  const { version, keys, lifetime, instructions, tables } = transaction;
  const lookups =
    version === 'V0'
      ? [
          shortLength(tables.length),
          ...tables.flatMap(({ key, writable, readonly }) => [
            key,
            ...shortBytes(writable),
            ...shortBytes(readonly),
          ]),
        ]
      : [];
  return [
    version === 'V0' ? Uint8Array.of(0x80) : new Uint8Array(0),
    header(transaction),
    shortLength(keys.length),
    ...keys,
    lifetime,
    shortLength(instructions.length),
    ...instructions.flatMap(({ programIndex, accounts, data }) => [
      Uint8Array.of(programIndex),
      ...shortBytes(accounts),
      ...shortBytes(data),
    ]),
    ...lookups,
  ];
}

function versionOneMessage(transaction: Written): readonly Uint8Array[] {
  const { keys, lifetime, instructions, config = {} } = transaction;
  return [
    Uint8Array.of(versionOneByte),
    header(transaction),
    unsigned(BigInt(maskOf(config)), 4),
    lifetime,
    Uint8Array.of(instructions.length, keys.length),
    ...keys,
    ...configValues(config),
    ...instructions.map(({ programIndex, accounts, data: { length } }) =>
      Uint8Array.of(programIndex, accounts.length, length & 0xff, length >> 8),
    ),
    ...instructions.flatMap(({ accounts, data }) => [accounts, data]),
  ];
}

const header = ({ header: { requiredSignatures, readonlySigned, readonlyUnsigned } }: Written) =>
  Uint8Array.of(requiredSignatures, readonlySigned, readonlyUnsigned);

function maskOf(config: TransactionConfig): number {
  const set = (value: unknown, bits: number) => (value === undefined ? 0 : bits);
  return (
    set(config.priorityFee, configBits.priorityFee) |
    set(config.computeUnitLimit, configBits.computeUnitLimit) |
    set(config.loadedAccountsDataSizeLimit, configBits.loadedAccountsDataSizeLimit) |
    set(config.heapSize, configBits.heapSize)
  );
}

function configValues(config: TransactionConfig): readonly Uint8Array[] {
  const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = config;
  const fee = priorityFee === undefined ? [] : [unsigned(priorityFee, 8)];
  const others = [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize].flatMap((value) =>
    value === undefined ? [] : [unsigned(BigInt(value), 4)],
  );
  return [...fee, ...others];
}

/** Returns an unsigned integer, little-endian. */
function unsigned(value: bigint, byteCount: number): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}

/** Returns a length in its shortest form. */
function shortLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length < 0x4000) return Uint8Array.of((length & 0x7f) | 0x80, length >> 7);
  return Uint8Array.of((length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14);
}

const shortBytes = (bytes: Uint8Array): readonly Uint8Array[] => [shortLength(bytes.length), bytes];
