// Explains an instruction of the stake program, in sentences.

import { programs } from '../../chains/solana/programs.ts';
import { isSigner } from '../../chains/solana/transaction.ts';
import { instantText } from '../text/instant_text.ts';
import {
  type InstructionContext,
  type InstructionExplanation,
  movesSol,
  solText,
  unreadCall,
  who,
} from './effects.ts';
import { accountAt, hiddenAccount } from './facts.ts';
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

const withdrawal = { number: 4, accounts: 3, bytes: 8 } as const;

/**
 * Instructions by number. The accounts of sysvars may be missing, so the minimum numbers count none.
 */
const rows: NativeRows = {
  0: {
    accounts: 1,
    bytes: 112,
    explain: (context, given) => stake(context, keyAt(given, 0), keyAt(given, 32), lockOf(given)),
  },
  1: {
    accounts: 2,
    bytes: 36,
    explain: (context, given) => authority(context, keyAt(given, 0), unsigned32At(given, 32)),
  },
  2: { accounts: 3, text: 'Delegates the stake account {0} to the vote account {1}.' },
  3: {
    accounts: 3,
    bytes: 8,
    text: (context, given) =>
      `Splits ${solText(unsigned64At(given, 0))} of the stake account ${who(context, 0)} off into ${who(context, 1)}, with the same authorities.`,
  },
  [withdrawal.number]: { ...withdrawal, explain: withdraw },
  5: { accounts: 2, text: 'Ends the delegation of the stake account {0}.' },
  6: { accounts: 2, explain: lockup },
  7: { accounts: 3, text: 'Merges the stake account {1} into {0}.' },
  8: {
    accounts: 2,
    bytes: 36,
    explain: (context, given) => authority(context, keyAt(given, 0), unsigned32At(given, 32)),
  },
  9: { accounts: 3, explain: setUpChecked },
  10: {
    accounts: 3,
    bytes: 4,
    explain: (context, given) =>
      authority(context, who(context, placeOf(context, 1, [2, 3])), unsigned32At(given, 0)),
  },
  11: {
    accounts: 3,
    bytes: 4,
    explain: (context, given) =>
      authority(context, who(context, placeOf(context, 2, [2, 3])), unsigned32At(given, 0)),
  },
  12: { accounts: 2, explain: lockup },
  14: { accounts: 3, text: 'Ends the delegation of {0} to a vote account that does not vote.' },
  16: {
    accounts: 3,
    bytes: 8,
    text: (context, given) =>
      `Moves a stake of ${solText(unsigned64At(given, 0))} from ${who(context, 0)} to ${who(context, 1)}, which has the same authorities.`,
  },
  17: {
    accounts: 3,
    bytes: 8,
    text: (context, given) =>
      `Moves ${solText(unsigned64At(given, 0))} that is not staked from ${who(context, 0)} to ${who(context, 1)}, which has the same authorities.`,
  },
};

/** Explains an instruction of the stake program, and warns of new authorities. */
export const stakeEffects = nativeEffects('the stake program', rows);

/**
 * Returns the place of an account that follows sysvars, which newer clients omit: the first place if the
 * account at `branch` signs. A sysvar never signs, and without it the program requires a signature there.
 */
function placeOf(
  { transaction, instruction }: Pick<Placed, 'transaction' | 'instruction'>,
  branch: number,
  [without, withSysvars]: readonly [without: number, withSysvars: number],
): number {
  return isSigner(transaction, instruction.accounts[branch] ?? transaction.keys.length)
    ? without
    : withSysvars;
}

/** Returns the account at a place that follows sysvars. */
const keyAfter =
  (branch: number): ((given: Uint8Array, placed: Placed) => string) =>
  (_given, placed) =>
    accountOf(placed, placeOf(placed, branch, [2, 3]));

const accountOf = ({ transaction, instruction }: Placed, place: number): string =>
  accountAt(transaction, instruction.accounts[place]);

/** Instruction 13 only reads, and 15 is no longer executed. */
export const stakeProgram: HoldingProgram = {
  address: programs.stake,
  rows,
  ignored: new Set([13, 15]),
  withdrawal: {
    number: withdrawal.number,
    payer: (placed) => accountOf(placed, placeOf(placed, 2, [2, 4])),
  },
  authorities: new Map([
    [1, { kindAt: 32, key: (given: Uint8Array) => keyAt(given, 0) }],
    [8, { kindAt: 32, key: (given: Uint8Array) => keyAt(given, 0) }],
    [10, { kindAt: 0, key: keyAfter(1) }],
    [11, { kindAt: 0, key: keyAfter(2) }],
  ]),
};

function withdraw(context: InstructionContext, given: Uint8Array): InstructionExplanation {
  const amount = unsigned64At(given, 0);
  const text = `Takes ${solText(amount)} from the stake account ${who(context, 0)} and sends it to ${who(context, 1)}.`;
  return movesSol(context, [0, 1], amount, text);
}

const rentSysvar = 'SysvarRent111111111111111111111111111111111';

/** Explains new stake whose authorities are accounts, after the sysvar of rents if the client adds it. */
function setUpChecked(context: InstructionContext): InstructionExplanation {
  const { accounts } = context.instruction;
  const second = accountAt(context.transaction, accounts[1]);
  const first = second === rentSysvar ? 2 : 1;
  // A lookup table may name the sysvar or the first authority.
  const isOpen = second === hiddenAccount && accounts.length > 3;
  if (isOpen || accounts.length < first + 2) {
    return unreadCall(context, 'Calls instruction 9 of the stake program.');
  }
  return stake(context, who(context, first), who(context, first + 1));
}

/** The end of a stake account's lockup, and the custodian, who can withdraw earlier. */
type Lock = { readonly ends: string; readonly custodian: string };

/** Reads the lockup after the two authorities: a time in seconds, an epoch and a custodian. */
function lockOf(given: Uint8Array): Lock | undefined {
  const seconds = BigInt.asIntN(64, unsigned64At(given, 64));
  const epoch = unsigned64At(given, 72);
  const ends = [
    ...(seconds > 0n ? [instantText(1000n * seconds)] : []),
    ...(epoch > 0n ? [`epoch ${epoch}`] : []),
  ];
  return ends.length === 0 ? undefined : { ends: ends.join(' and '), custodian: keyAt(given, 80) };
}

function stake(
  context: InstructionContext,
  staker: string,
  withdrawer: string,
  lock?: Lock,
): InstructionExplanation {
  const account = `the stake account ${who(context, 0)}`;
  const locked =
    lock === undefined
      ? ''
      : ` from ${lock.ends} on, or before with the signature of ${lock.custodian}`;
  const { effects, warnings } = changesPower(
    context,
    `Sets up ${account}: ${staker} may delegate it, and ${withdrawer} may withdraw it${locked}.`,
    `${withdrawer} can withdraw everything in ${account}.`,
    staker === withdrawer ? withdrawer : undefined,
  );
  if (lock === undefined || lock.custodian === context.account.address)
    return { effects, warnings };
  return {
    effects,
    warnings: [...warnings, { code: 'NEW_AUTHORITY', text: lockWarning(context) }],
  };
}

const lockWarning = (context: InstructionContext): string =>
  `Before the lockup of the stake account ${who(context, 0)} ends, a withdrawal needs the signature of its custodian.`;

function authority(
  context: InstructionContext,
  holder: string,
  kind: number,
): InstructionExplanation {
  const account = `the stake account ${who(context, 0)}`;
  return kind === 0
    ? changesPower(
        context,
        `Lets ${holder} delegate ${account}.`,
        `${holder} decides to whom ${account} is delegated.`,
        holder,
      )
    : changesPower(
        context,
        `Lets ${holder} withdraw ${account}.`,
        `Only ${holder} can withdraw everything in ${account}.`,
        holder,
      );
}

function lockup(context: InstructionContext): InstructionExplanation {
  const account = `the stake account ${who(context, 0)}`;
  return changesPower(
    context,
    `Changes the lockup of ${account} or its custodian.`,
    lockWarning(context),
  );
}
