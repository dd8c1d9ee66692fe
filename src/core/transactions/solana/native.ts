// Explains instructions of native programs that begin with a number of four bytes, little-endian. Signing
// does not depend on these explanations.

import { base58Key } from '../../chains/solana/base58_key.ts';
import { keyBytes } from '../../chains/solana/limits.ts';
import type { SolanaInstruction } from '../../chains/solana/transaction.ts';
import type { VisibleTransfer } from '../described.ts';
import {
  type InstructionContext,
  type InstructionExplanation,
  plain,
  sentence,
  unreadCall,
} from './effects.ts';
import { accountAt } from './facts.ts';

/** One instruction: its required parts, and its explanation or the text of a call without warnings. */
type NativeRow = {
  /** Minimum number of accounts; the program rejects fewer. */
  readonly accounts: number;
  /** Number of argument bytes that are read. Default: 0. */
  readonly bytes?: number;
} & (
  | { readonly explain: Explain<InstructionExplanation> }
  | { readonly text: string | Explain<string> }
);

type Explain<Result> = (context: InstructionContext, given: Uint8Array) => Result;

/** The instructions of a program, by number. */
export type NativeRows = Readonly<Record<number, NativeRow>>;

/** Explains the instructions of a native program; unknown ones are marked as unknown. */
export function nativeEffects(
  words: string,
  rows: NativeRows,
): (context: InstructionContext) => InstructionExplanation {
  return (context) => {
    const { instruction } = context;
    const number = instructionNumber(instruction);
    const row = number === undefined ? undefined : rows[number];
    const given = instruction.data.subarray(numberBytes);
    const { accounts = 0, bytes = 0 } = row ?? {};
    const isWhole = given.length >= bytes && instruction.accounts.length >= accounts;
    if (row !== undefined && isWhole) {
      if ('explain' in row) return row.explain(context, given);
      const { text } = row;
      const words = typeof text === 'string' ? sentence(context, text) : text(context, given);
      return plain(context, 'CALL', words);
    }
    const which = number === undefined ? '' : ` instruction ${number} of`;
    return unreadCall(context, `Calls${which} ${words}.`);
  };
}

/** An instruction in its transaction, with the signing account. */
export type Placed = Pick<InstructionContext, 'transaction' | 'instruction' | 'account'>;

/** A native program whose accounts hold SOL that an authority withdraws. */
export type HoldingProgram = {
  readonly address: string;
  readonly rows: NativeRows;
  /** Numbers of instructions without an effect. */
  readonly ignored?: ReadonlySet<number>;
  /** The instruction that sends an amount to its second account. Without a payer, no SOL leaves. */
  readonly withdrawal: {
    readonly number: number;
    readonly payer: (placed: Placed) => string | undefined;
  };
  /** Instructions that name a new authority: the place of its kind, and its key in the data or an account. */
  readonly authorities: ReadonlyMap<number, { readonly kindAt: number; readonly key: KeyOf }>;
};

type KeyOf = (given: Uint8Array, placed: Placed) => string;

/** Returns the number of an instruction of a program, -1 for too short data; undefined for other programs. */
function numberOf(
  { address }: HoldingProgram,
  { transaction, instruction }: Placed,
): number | undefined {
  const isOwn = accountAt(transaction, instruction.programIndex) === address;
  return isOwn ? (instructionNumber(instruction) ?? -1) : undefined;
}

/** Returns true for an instruction of a program that the reader does not know. */
export function isUnknownOf(program: HoldingProgram, placed: Placed): boolean {
  const number = numberOf(program, placed);
  if (number === undefined || Object.hasOwn(program.rows, number)) return false;
  return program.ignored?.has(number) !== true;
}

/** Returns the SOL that a withdrawal sends to another account. Empty for other instructions. */
export function withdrawalsOf(program: HoldingProgram, placed: Placed): readonly VisibleTransfer[] {
  const { number, payer } = program.withdrawal;
  const { data, accounts } = placed.instruction;
  if (numberOf(program, placed) !== number || data.length < numberBytes + 8) return [];
  const [from, to] = [payer(placed), accountAt(placed.transaction, accounts[1])];
  return from === undefined ? [] : [{ token: '', from, to, amount: unsigned64At(data, 4) }];
}

/** Returns the key that gets the right to withdraw an account; undefined for other instructions. */
export function newWithdrawerOf(program: HoldingProgram, placed: Placed): string | undefined {
  const row = program.authorities.get(numberOf(program, placed) ?? -1);
  const given = placed.instruction.data.subarray(numberBytes);
  if (row === undefined || given.length < row.kindAt + 4) return undefined;
  // The first kind of authority decides on delegations and votes.
  return unsigned32At(given, row.kindAt) === 0 ? undefined : row.key(given, placed);
}

const numberBytes = 4;

/** Returns the number at the start of an instruction; undefined if the data is too short. */
export function instructionNumber({ data }: SolanaInstruction): number | undefined {
  return data.length < numberBytes ? undefined : Number(unsignedAt(data, 0, numberBytes));
}

/** Returns an unsigned integer of eight bytes from the arguments. */
export const unsigned64At = (given: Uint8Array, at: number): bigint => unsignedAt(given, at, 8);

/** Returns a number of four bytes from the arguments. */
export const unsigned32At = (given: Uint8Array, at: number): number =>
  Number(unsignedAt(given, at, 4));

/** Returns a key from the arguments, in base58. */
export const keyAt = (given: Uint8Array, at: number): string =>
  base58Key(given.subarray(at, at + keyBytes));

/** Describes a transfer of authority; no warning if the signing account receives it. */
export function changesPower(
  context: InstructionContext,
  text: string,
  warning: string,
  holder?: string,
): InstructionExplanation {
  const isOwn = holder === context.account.address;
  const warnings = isOwn ? [] : [{ code: 'NEW_AUTHORITY', text: warning } as const];
  return plain(context, 'PERMISSION_CHANGE', text, warnings);
}

function unsignedAt(bytes: Uint8Array, at: number, count: number): bigint {
  return bytes
    .subarray(at, at + count)
    .reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n);
}
