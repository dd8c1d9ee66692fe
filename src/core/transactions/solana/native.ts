// Explains instructions of native programs that begin with a number of four bytes, little-endian. Signing
// does not depend on these explanations.

import { base58Key } from '../../chains/solana/base58_key.ts';
import { keyBytes } from '../../chains/solana/limits.ts';
import type { SolanaInstruction } from '../../chains/solana/transaction.ts';
import {
  type InstructionContext,
  type InstructionExplanation,
  plain,
  sentence,
  unreadCall,
} from './effects.ts';

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
