// Explains an instruction of the system program, in sentences.

import { base58Key } from '../../chains/solana/base58_key.ts';
import type { SystemCall } from '../../chains/solana/system_program.ts';
import { quotedText } from '../text/shown_text.ts';
import {
  type InstructionContext,
  type InstructionExplanation,
  movesSol,
  plain,
  solText,
  unreadCall,
  who,
} from './effects.ts';

/** Explains an instruction, and warns of new authorities. */
export function systemEffects(
  call: SystemCall,
  context: InstructionContext,
): InstructionExplanation {
  return rows[call.name](call, context);
}

type Explain = (call: SystemCall, context: InstructionContext) => InstructionExplanation;

const rows: Readonly<Record<SystemCall['name'], Explain>> = {
  Unknown: ({ number }, context) =>
    unreadCall(context, `Calls instruction ${number} of the system program.`),
  CreateAccount: (call, context) => createAccount(call, context, ''),
  CreateAccountAllowPrefund: prefundAccount,
  CreateAccountWithSeed: (call, context) => createAccount(call, context, derivedText(call)),
  Transfer: (call, context) =>
    moves(call, context, [0, 1], `${who(context, 0)} sends ${money(call)} to ${who(context, 1)}.`),
  TransferWithSeed: (call, context) => {
    const text = `${who(context, 0)}, which ${who(context, 1)} signs for, sends ${money(call)} to ${who(context, 2)}.`;
    return moves(call, context, [0, 2], text);
  },
  WithdrawNonceAccount: (call, context) => {
    const text = `Takes ${money(call)} from the nonce account ${who(context, 0)} and sends it to ${who(context, 1)}.`;
    return moves(call, context, [0, 1], text);
  },
  Assign: (call, context) => newOwner(call, context, ''),
  AssignWithSeed: (call, context) => newOwner(call, context, derivedText(call)),
  AllocateWithSeed: (call, context) =>
    newOwner(call, context, `${derivedText(call)} of ${call.space} bytes`),
  Allocate: allocate,
  AdvanceNonceAccount: (_, context) =>
    plain(context, 'VALIDITY', `Advances the nonce of the account ${who(context, 0)}.`),
  UpgradeNonceAccount: (_, context) =>
    plain(context, 'VALIDITY', `Upgrades the nonce account ${who(context, 0)}.`),
  InitializeNonceAccount: (call, context) => {
    const text = `Makes ${who(context, 0)} a nonce account; ${ownerOf(call)} is its authority.`;
    const isOwn = ownerOf(call) === context.account.address;
    const warnings = isOwn ? [] : [newAuthority(nonceWarning(call, context))];
    return plain(context, 'PERMISSION_CHANGE', text, warnings);
  },
  AuthorizeNonceAccount: (call, context) => {
    const text = `Makes ${ownerOf(call)} the authority of the nonce account ${who(context, 0)}.`;
    const warning = newAuthority(nonceWarning(call, context));
    return plain(context, 'PERMISSION_CHANGE', text, [warning]);
  },
};

function nonceWarning(call: SystemCall, context: InstructionContext): string {
  return `${ownerOf(call)} can withdraw everything in the nonce account ${who(context, 0)}.`;
}

const nonceBytes = 80n;

/**
 * Explains an allocation of data. An account with data can no longer pay. If the data has the size of a nonce
 * account, anyone can initialize the account with an authority of their own, and withdraw its SOL.
 */
function allocate(call: SystemCall, context: InstructionContext): InstructionExplanation {
  const { space = 0n } = call;
  const account = who(context, 0);
  const warning =
    space < nonceBytes
      ? `The account ${account} then contains data and can no longer send SOL by transfers.`
      : `Anyone can then make the account ${account} a nonce account and withdraw its SOL.`;
  const text = `Makes the account ${account} ${space} bytes long.`;
  return plain(context, 'PERMISSION_CHANGE', text, space === 0n ? [] : [newAuthority(warning)]);
}

const newAuthority = (text: string) => ({ code: 'NEW_AUTHORITY', text }) as const;

const money = ({ lamports = 0n }: SystemCall): string => solText(lamports);

/** The readers require the keys that an instruction needs. */
const ownerOf = ({ owner }: SystemCall): string => (owner === undefined ? '' : base58Key(owner));

const derivedText = ({ base, seed = '' }: SystemCall): string =>
  base === undefined ? '' : ` (derived from ${base58Key(base)} and the seed ${quotedText(seed)})`;

function moves(
  { lamports = 0n }: SystemCall,
  context: InstructionContext,
  positions: readonly [from: number, to: number],
  text: string,
): InstructionExplanation {
  return movesSol(context, positions, lamports, text);
}

function createAccount(
  call: SystemCall,
  context: InstructionContext,
  derived: string,
): InstructionExplanation {
  const text = `${who(context, 0)} puts ${money(call)} into the new account ${who(context, 1)}${derived} of ${call.space} bytes, which the program ${ownerOf(call)} owns.`;
  const moved = moves(call, context, [0, 1], text);
  if (who(context, 1) !== context.account.address) return moved;
  const warning = `The program ${ownerOf(call)} decides on all that the account ${who(context, 1)} holds.`;
  return { ...moved, warnings: [newAuthority(warning)] };
}

/** Explains the creation of an account that may already have SOL. The second account, if present, pays. */
function prefundAccount(call: SystemCall, context: InstructionContext): InstructionExplanation {
  const [isNew, payer] = [who(context, 0), context.instruction.accounts.length > 1];
  const rest = `the account ${isNew} of ${call.space} bytes, which the program ${ownerOf(call)} owns and which may hold SOL already.`;
  const explained = payer
    ? moves(call, context, [1, 0], `${who(context, 1)} puts ${money(call)} into ${rest}`)
    : plain(context, 'CALL', `Makes ${rest}`);
  const warning = `The program ${ownerOf(call)} decides on all that the account ${isNew} holds.`;
  return { ...explained, warnings: [newAuthority(warning)] };
}

function newOwner(
  call: SystemCall,
  context: InstructionContext,
  derived: string,
): InstructionExplanation {
  const owner = ownerOf(call);
  const text = `Makes the program ${owner} the owner of the account ${who(context, 0)}${derived}.`;
  const warning = `The program ${owner} decides on all that the account ${who(context, 0)} holds.`;
  return plain(context, 'PERMISSION_CHANGE', text, [newAuthority(warning)]);
}
