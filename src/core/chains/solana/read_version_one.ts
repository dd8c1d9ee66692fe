// The message of version 1 (SIMD-0385). It has no tables. Its config replaces the instructions of the compute
// budget program of older versions.

import { refuseTransaction } from '../unreadable.ts';
import {
  type SolanaCursor,
  takeByte,
  takeBytes,
  takeItems,
  takeUnsigned,
  takeUnsigned64,
} from './cursor.ts';
import { keyBytes, versionOneLimits } from './limits.ts';
import { type SolanaMessage, takeHeader } from './read_message.ts';
import type { SolanaInstruction, TransactionConfig } from './transaction.ts';

/** The first byte of the transaction. */
export const versionOneByte = 0x81;

/** Bits of the config mask. The priority fee has two bits, because it takes twice the bytes. */
export const configBits = {
  priorityFee: 0b11,
  computeUnitLimit: 0b100,
  loadedAccountsDataSizeLimit: 0b1000,
  heapSize: 0b10000,
} as const;

/** Reads the message after its first byte. */
export function readVersionOneMessage(cursor: SolanaCursor): SolanaMessage {
  const header = takeHeader(cursor);
  atMost(header.requiredSignatures, versionOneLimits.signers, 'header', 'signers');
  const mask = takeUnsigned(cursor, 4, 'config');
  const lifetime = takeBytes(cursor, keyBytes, 'recent_blockhash');
  const instructionCount = takeByte(cursor, 'instructions');
  atMost(instructionCount, versionOneLimits.instructions, 'instructions', 'instructions');
  const keyCount = takeByte(cursor, 'account_keys');
  atMost(keyCount, versionOneLimits.keys, 'account_keys', 'keys');
  const keys = takeItems(cursor, keyCount, keyBytes, 'account_keys');
  const config = takeConfig(cursor, mask);
  const instructions = takeInstructions(cursor, instructionCount);
  return { version: 'V1', header, keys, lifetime, instructions, tables: [], config };
}

function atMost(found: number, most: number, place: string, what: string): void {
  if (found > most) refuseTransaction(place, `expected at most ${most} ${what}, got ${found}`);
}

function takeConfig(cursor: SolanaCursor, mask: number): TransactionConfig {
  const known = Object.values(configBits).reduce<number>((bits, each) => bits | each, 0);
  if (mask > known) refuseTransaction('config', `unknown bits in the mask ${mask.toString(2)}`);
  const has = (bits: number) => (mask & bits) === bits;
  const feeBits = mask & configBits.priorityFee;
  if (feeBits !== 0 && feeBits !== configBits.priorityFee) {
    refuseTransaction('config.priority_fee_lamports', 'expected bits 0 and 1 together');
  }
  const fee = has(configBits.priorityFee)
    ? { priorityFee: takeUnsigned64(cursor, 'config.priority_fee_lamports') }
    : {};
  const number = (name: Exclude<keyof typeof configBits, 'priorityFee'>, place: string) =>
    has(configBits[name]) ? { [name]: takeUnsigned(cursor, 4, `config.${place}`) } : {};
  return {
    ...fee,
    ...number('computeUnitLimit', 'compute_unit_limit'),
    ...number('loadedAccountsDataSizeLimit', 'loaded_accounts_data_size_limit'),
    ...number('heapSize', 'heap_size'),
  };
}

/** Takes instructions: first four bytes of each, then the accounts and the data of each. */
function takeInstructions(cursor: SolanaCursor, count: number): readonly SolanaInstruction[] {
  const heads = takeItems(cursor, count, 4, 'instructions');
  return heads.map(([programIndex = 0, accountCount = 0, low = 0, high = 0], i) => {
    const place = `instructions[${i}]`;
    return {
      programIndex,
      accounts: takeBytes(cursor, accountCount, place),
      data: takeBytes(cursor, low + 256 * high, place),
    };
  });
}
