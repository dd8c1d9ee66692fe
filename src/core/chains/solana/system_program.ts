// Instructions of the system program: a number of four bytes, then its arguments (bincode). Like the runtime,
// this reader ignores surplus bytes and accounts.

import { textOfUtf8 } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import { bytesLeft, type SolanaCursor, takeBytes, takeUnsigned, takeUnsigned64 } from './cursor.ts';
import type { EncodedInstruction } from './instruction.ts';
import { keyBytes } from './limits.ts';

/** An instruction of the system program; arguments that it does not have are absent. */
export type SystemCall = SystemArguments & {
  readonly program: 'system';
  /** `Unknown`: an instruction that is newer than this reader. It may move SOL. */
  readonly name: SystemInstructionName | 'Unknown';
  readonly number: number;
};

type Values = { -readonly [name in keyof SystemArguments]: SystemArguments[name] };

type SystemArguments = {
  readonly lamports?: bigint;
  /** In bytes. */
  readonly space?: bigint;
  /** The program that owns an account, or the authority of a nonce. */
  readonly owner?: Uint8Array;
  /** The base key of an address that is derived with a seed. */
  readonly base?: Uint8Array;
  readonly seed?: string;
};

type SystemInstructionName = (typeof rows)[number]['name'];

type Row = {
  readonly name: string;
  readonly takes: readonly (keyof SystemArguments)[];
  /** Minimum number of accounts; the runtime rejects fewer. */
  readonly accounts: number;
};

/** In the order of their numbers. */
const rows = [
  { name: 'CreateAccount', takes: ['lamports', 'space', 'owner'], accounts: 2 },
  { name: 'Assign', takes: ['owner'], accounts: 1 },
  { name: 'Transfer', takes: ['lamports'], accounts: 2 },
  {
    name: 'CreateAccountWithSeed',
    takes: ['base', 'seed', 'lamports', 'space', 'owner'],
    accounts: 2,
  },
  { name: 'AdvanceNonceAccount', takes: [], accounts: 1 },
  { name: 'WithdrawNonceAccount', takes: ['lamports'], accounts: 2 },
  { name: 'InitializeNonceAccount', takes: ['owner'], accounts: 1 },
  { name: 'AuthorizeNonceAccount', takes: ['owner'], accounts: 1 },
  { name: 'Allocate', takes: ['space'], accounts: 1 },
  { name: 'AllocateWithSeed', takes: ['base', 'seed', 'space', 'owner'], accounts: 1 },
  { name: 'AssignWithSeed', takes: ['base', 'seed', 'owner'], accounts: 1 },
  { name: 'TransferWithSeed', takes: ['lamports', 'seed', 'owner'], accounts: 3 },
  { name: 'UpgradeNonceAccount', takes: [], accounts: 1 },
  // The second account pays. It may be omitted if the instruction moves no SOL.
  { name: 'CreateAccountAllowPrefund', takes: ['lamports', 'space', 'owner'], accounts: 1 },
] as const satisfies readonly Row[];

/**
 * Reads an instruction of the system program. Rejects an instruction that the runtime could not read. Returns
 * an instruction with an unknown number without its arguments.
 */
export function readSystemCall({ data, accounts }: EncodedInstruction, place: string): SystemCall {
  const cursor: SolanaCursor = { bytes: data, offset: 0 };
  const number = takeUnsigned(cursor, 4, place);
  const row = rows[number];
  if (row === undefined) return { program: 'system', name: 'Unknown', number };
  const values: Values = {};
  for (const name of row.takes) takes[name](values, cursor, place);
  const paysNothing = row.name !== 'CreateAccountAllowPrefund' || values.lamports === 0n;
  const least = paysNothing ? row.accounts : 2;
  if (accounts.length < least) {
    const expected = `expected at least ${least} accounts of ${row.name}`;
    refuseTransaction(place, `${expected}, got ${accounts.length}`);
  }
  return { program: 'system', name: row.name, number, ...values };
}

const takes: {
  readonly [name in keyof SystemArguments]-?: (
    values: Values,
    cursor: SolanaCursor,
    place: string,
  ) => void;
} = {
  lamports: (values, cursor, place) => {
    values.lamports = takeUnsigned64(cursor, place);
  },
  space: (values, cursor, place) => {
    values.space = takeUnsigned64(cursor, place);
  },
  owner: (values, cursor, place) => {
    values.owner = takeBytes(cursor, keyBytes, place);
  },
  base: (values, cursor, place) => {
    values.base = takeBytes(cursor, keyBytes, place);
  },
  seed: (values, cursor, place) => {
    values.seed = takeText(cursor, place);
  },
};

function takeText(cursor: SolanaCursor, place: string): string {
  const length = takeUnsigned64(cursor, place);
  const left = bytesLeft(cursor);
  if (length > left)
    refuseTransaction(place, `expected a seed of at most ${left} bytes, got ${length}`);
  const text = textOfUtf8(takeBytes(cursor, Number(length), place));
  return text ?? refuseTransaction(place, 'expected a seed in UTF-8');
}
