// Explains an instruction of the vote program, in sentences. Votes themselves move nothing.

import type { SigningAccount } from '../../chains/chain.ts';
import { programs } from '../../chains/solana/programs.ts';
import type { SolanaInstruction, SolanaTransaction } from '../../chains/solana/transaction.ts';
import type { VisibleTransfer } from '../described.ts';
import {
  type InstructionContext,
  type InstructionExplanation,
  movesSol,
  solText,
  who,
} from './effects.ts';
import { accountAt } from './facts.ts';
import {
  changesPower,
  instructionNumber,
  keyAt,
  type NativeRows,
  nativeEffects,
  unsigned32At,
  unsigned64At,
} from './native.ts';

const withdrawal = { number: 3, accounts: 2, bytes: 8 } as const;
const votes = { accounts: 1, text: 'Votes with the vote account {0}.' } as const;

const rows: NativeRows = {
  0: {
    accounts: 4,
    bytes: 97,
    explain: (context, given) =>
      changesPower(
        context,
        `Makes ${who(context, 0)} a vote account: ${keyAt(given, 32)} may vote, and ${keyAt(given, 64)} may withdraw everything in it.`,
        `${keyAt(given, 64)} can withdraw everything in the vote account ${who(context, 0)}.`,
        keyAt(given, 64),
      ),
  },
  1: {
    accounts: 3,
    bytes: 36,
    explain: (context, given) => authority(context, keyAt(given, 0), unsigned32At(given, 32)),
  },
  2: votes,
  [withdrawal.number]: {
    ...withdrawal,
    explain: (context, given) => {
      const amount = unsigned64At(given, 0);
      const text = `Takes ${solText(amount)} from the vote account ${who(context, 0)} and sends it to ${who(context, 1)}.`;
      return movesSol(context, [0, 1], amount, text);
    },
  },
  4: { accounts: 3, text: 'Makes {1} the validator of the vote account {0}.' },
  5: {
    accounts: 2,
    bytes: 1,
    text: (context, [percent]) =>
      `Sets the commission of the vote account ${who(context, 0)} to ${percent} percent.`,
  },
  6: votes,
  7: {
    accounts: 4,
    bytes: 4,
    explain: (context, given) => authority(context, who(context, 3), unsigned32At(given, 0)),
  },
  8: votes,
  9: votes,
  12: votes,
  13: votes,
  14: votes,
  15: votes,
};

/** Explains an instruction of the vote program, and warns of new authorities. */
export const voteEffects = nativeEffects('the vote program', rows);

function authority(
  context: InstructionContext,
  holder: string,
  kind: number,
): InstructionExplanation {
  const account = `the vote account ${who(context, 0)}`;
  return kind === 0
    ? changesPower(
        context,
        `Lets ${holder} vote with ${account}.`,
        `${holder} decides on the votes of ${account}.`,
        holder,
      )
    : changesPower(
        context,
        `Lets ${holder} withdraw everything in ${account}.`,
        `Only ${holder} can withdraw everything in ${account}.`,
        holder,
      );
}

const numberOf = (
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): number | undefined =>
  accountAt(transaction, instruction.programIndex) === programs.vote
    ? (instructionNumber(instruction) ?? -1)
    : undefined;

/** Returns true for an instruction of the vote program that the reader does not know. */
export function isUnknownVoteCall(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): boolean {
  const number = numberOf(instruction, transaction);
  return number !== undefined && !Object.hasOwn(rows, number);
}

/**
 * Returns the SOL that a withdrawal sends to an account other than the signing one. The program accepts the
 * signature of any account of the instruction, so none of them is the withdrawer for sure.
 */
export function voteWithdrawal(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
  { address }: SigningAccount,
): VisibleTransfer | undefined {
  const { data, accounts } = instruction;
  const isWithdrawal = numberOf(instruction, transaction) === withdrawal.number;
  if (!isWithdrawal || data.length < 4 + withdrawal.bytes) return undefined;
  const to = accountAt(transaction, accounts[1]);
  if (to === address) return undefined;
  return {
    token: '',
    from: accountAt(transaction, accounts[0]),
    to,
    amount: unsigned64At(data, 4),
  };
}

/** Returns the key that gets the right to withdraw a vote account; undefined for other instructions. */
export function newVoteWithdrawer(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): string | undefined {
  const number = numberOf(instruction, transaction);
  const given = instruction.data.subarray(4);
  if (number === 1 && given.length >= 36 && unsigned32At(given, 32) !== 0) return keyAt(given, 0);
  const isChecked = number === 7 && given.length >= 4 && unsigned32At(given, 0) !== 0;
  return isChecked ? accountAt(transaction, instruction.accounts[3]) : undefined;
}
