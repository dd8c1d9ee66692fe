// Explains an instruction of the vote program, in sentences. Votes themselves move nothing.

import { programs } from '../../chains/solana/programs.ts';
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
  type HoldingProgram,
  keyAt,
  type NativeRows,
  nativeEffects,
  type Placed,
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

export const voteProgram: HoldingProgram = {
  address: programs.vote,
  rows,
  withdrawal: {
    number: withdrawal.number,
    // The program accepts the signature of any account of the instruction, so none of them is the withdrawer
    // for sure.
    payer: ({ transaction, instruction: { accounts }, account }) => {
      const [from, to] = [0, 1].map((place) => accountAt(transaction, accounts[place]));
      return to === account.address ? undefined : from;
    },
  },
  authorities: new Map([
    [1, { kindAt: 32, key: (given: Uint8Array) => keyAt(given, 0) }],
    [
      7,
      {
        kindAt: 0,
        key: (_given: Uint8Array, { transaction, instruction }: Placed) =>
          accountAt(transaction, instruction.accounts[3]),
      },
    ],
  ]),
};
