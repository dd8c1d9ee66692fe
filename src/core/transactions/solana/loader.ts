// Explains an instruction of the program loaders.

import { programs } from '../../chains/solana/programs.ts';
import type { SolanaInstruction, SolanaTransaction } from '../../chains/solana/transaction.ts';
import {
  bytesText,
  type InstructionContext,
  type InstructionExplanation,
  plain,
  sentence,
  who,
} from './effects.ts';
import { accountAt } from './facts.ts';
import { changesPower, instructionNumber, type NativeRows, nativeEffects } from './native.ts';
import { unsaidSol } from './token.ts';

/** Instructions of the upgradeable loader, by number. */
const upgradeable: NativeRows = {
  0: {
    accounts: 1,
    explain: (context) => {
      const holder = isThere(context, 1) ? who(context, 1) : 'nobody';
      return changesPower(
        context,
        `Makes ${who(context, 0)} a buffer for the code of a program; its authority is ${holder}.`,
        `${holder} controls the buffer ${who(context, 0)}.`,
        holder,
      );
    },
  },
  1: {
    accounts: 2,
    text: (context, given) => `Writes ${bytesText(given)} to the buffer ${who(context, 0)}.`,
  },
  2: {
    accounts: 8,
    explain: (context) => {
      const { warnings } = changesPower(
        context,
        '',
        `${who(context, 7)} can replace the code of the program ${who(context, 2)}.`,
        who(context, 7),
      );
      const text = 'Deploys the program {2} from the buffer {3}; {0} pays the rent of its code.';
      const paid = unsaidSol(context, text);
      return { ...paid, warnings: [...warnings, ...paid.warnings] };
    },
  },
  3: {
    accounts: 7,
    explain: (context) =>
      newCode(
        context,
        `Replaces the code of the program ${who(context, 1)} by that of the buffer ${who(context, 2)}, whose SOL goes to ${who(context, 3)}.`,
        who(context, 1),
      ),
  },
  4: { accounts: 2, explain: authorityOfLoaded },
  5: {
    accounts: 2,
    explain: (context) => {
      const of = isThere(context, 3) ? ', and permanently closes the program {3}' : '';
      return unsaidSol(context, `Closes {0} and sends all SOL in it to {1}${of}.`);
    },
  },
  6: { accounts: 2, explain: (context) => extension(context, 3) },
  7: { accounts: 3, explain: authorityOfLoaded },
  8: { accounts: 3, text: 'Moves the program {1} to another loader.' },
  9: { accounts: 3, explain: (context) => extension(context, 4) },
};

/** Instructions of the loader's fourth version, by number. */
const fourth: NativeRows = {
  0: {
    accounts: 2,
    text: (context, given) => `Writes ${bytesText(given)} to the program ${who(context, 0)}.`,
  },
  1: { accounts: 3, text: 'Copies the code of {2} to the program {0}.' },
  2: { accounts: 2, text: 'Changes the size of the space for the code of the program {0}.' },
  3: {
    accounts: 2,
    explain: (context) =>
      newCode(context, `Deploys the program ${who(context, 0)}.`, who(context, 0)),
  },
  4: { accounts: 2, text: 'Takes the program {0} out of service.' },
  5: { accounts: 3, explain: (context) => givenOver(context, who(context, 2)) },
  6: { accounts: 3, explain: withoutAuthority },
};

/** Explains an instruction of the upgradeable loader. */
export const loaderEffects = nativeEffects('the program that loads programs', upgradeable);

/** Explains an instruction of the loader's fourth version. */
export const fourthLoaderEffects = nativeEffects('the program that loads programs', fourth);

/** Explains more space for code. The rent of an account is its owner's, who can close it later. */
function extension(context: InstructionContext, payer: number): InstructionExplanation {
  const text = 'Extends the space for the code of the program {1}';
  if (!isThere(context, payer)) return plain(context, 'CALL', sentence(context, `${text}.`));
  return unsaidSol(context, `${text}; {${payer}} pays the rent.`, [payer, 0]);
}

const isThere = ({ instruction }: InstructionContext, position: number): boolean =>
  position < instruction.accounts.length;

function newCode(
  context: InstructionContext,
  text: string,
  program: string,
): InstructionExplanation {
  return changesPower(
    context,
    text,
    `The new code controls everything that the program ${program} owns.`,
  );
}

function authorityOfLoaded(context: InstructionContext): InstructionExplanation {
  return isThere(context, 2) ? givenOver(context, who(context, 2)) : withoutAuthority(context);
}

function givenOver(context: InstructionContext, holder: string): InstructionExplanation {
  return changesPower(
    context,
    `Gives the authority over the code in ${who(context, 0)} to ${holder}.`,
    `${holder} can replace the code in ${who(context, 0)}.`,
    holder,
  );
}

function withoutAuthority(context: InstructionContext): InstructionExplanation {
  return changesPower(
    context,
    `Removes the authority over the code in ${who(context, 0)}.`,
    `The authority over the code in ${who(context, 0)} is given up permanently.`,
  );
}

/** Payer and receiver of SOL whose amount an instruction of the upgradeable loader does not state. */
type Moves = {
  readonly from: number;
  readonly to: number;
  /** The authority that can get the SOL back by closing the receiver. Default: the receiver. */
  readonly holder?: number;
};

/** Instructions of the upgradeable loader that move SOL, or that give an account with SOL to another key. */
const moves: ReadonlyMap<number, Moves> = new Map<number, Moves>([
  [2, { from: 0, to: 1, holder: 7 }],
  [3, { from: 6, to: 3 }],
  [4, { from: 0, to: 2 }],
  [5, { from: 2, to: 1 }],
  [6, { from: 3, to: 0 }],
  [7, { from: 0, to: 2 }],
  [9, { from: 4, to: 0, holder: 2 }],
]);

/** Returns the accounts between which the upgradeable loader moves SOL of an unstated amount. */
export function loaderMoves(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): { readonly from: string; readonly to: string; readonly holder: string } | undefined {
  const { programIndex, accounts } = instruction;
  if (accountAt(transaction, programIndex) !== programs.loader) return undefined;
  const row = moves.get(instructionNumber(instruction) ?? -1);
  if (row === undefined || Math.max(row.from, row.to) >= accounts.length) return undefined;
  const at = (place: number) => accountAt(transaction, accounts[place]);
  return { from: at(row.from), to: at(row.to), holder: at(row.holder ?? row.to) };
}
