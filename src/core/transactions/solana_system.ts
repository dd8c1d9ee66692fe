// Explains an instruction of the system program, in sentences.

import { base58Key } from '../chains/solana/base58_key.ts';
import type { SystemCall, SystemInstructionName } from '../chains/solana/system_program.ts';
import type { Effect } from '../organization/records/transaction_explanation.ts';
import { addressMember, solText, type Told, type ToldInstruction, who } from './solana_effects.ts';

/** The effects of an instruction, and who gets power by it. */
export function systemEffects(call: SystemCall, told: ToldInstruction): Told {
  return rows[call.name](call, told);
}

type Tell = (call: SystemCall, told: ToldInstruction) => Told;

const rows: Readonly<Record<SystemInstructionName, Tell>> = {
  CreateAccount: (call, told) => createAccount(call, told, ''),
  CreateAccountWithSeed: (call, told) => createAccount(call, told, derivedText(call)),
  Transfer: (call, told) =>
    moves(call, told, 0, 1, `${who(told, 0)} sends ${money(call)} to ${who(told, 1)}.`),
  TransferWithSeed: (call, told) => {
    const text = `${who(told, 0)}, which ${who(told, 1)} signs for, sends ${money(call)} to ${who(told, 2)}.`;
    return moves(call, told, 0, 2, text);
  },
  WithdrawNonceAccount: (call, told) => {
    const text = `Takes ${money(call)} from the nonce account ${who(told, 0)} and sends it to ${who(told, 1)}.`;
    return moves(call, told, 0, 1, text);
  },
  Assign: (call, told) => newOwner(call, told, ''),
  AssignWithSeed: (call, told) => newOwner(call, told, derivedText(call)),
  AllocateWithSeed: (call, told) =>
    newOwner(call, told, `${derivedText(call)} of ${call.space} bytes`),
  Allocate: allocate,
  AdvanceNonceAccount: (_, told) =>
    plain('VALIDITY', `Advances the nonce of the account ${who(told, 0)}.`, told),
  UpgradeNonceAccount: (_, told) =>
    plain('VALIDITY', `Upgrades the nonce account ${who(told, 0)}.`, told),
  InitializeNonceAccount: (call, told) => {
    const text = `Makes ${who(told, 0)} a nonce account; ${ownerOf(call)} is its authority.`;
    const isOwn = ownerOf(call) === told.account.address;
    return {
      ...plain('PERMISSION_CHANGE', text, told),
      warnings: isOwn ? [] : [newAuthority(nonceWarning(call, told))],
    };
  },
  AuthorizeNonceAccount: (call, told) => {
    const text = `Makes ${ownerOf(call)} the authority of the nonce account ${who(told, 0)}.`;
    const warning = nonceWarning(call, told);
    return { ...plain('PERMISSION_CHANGE', text, told), warnings: [newAuthority(warning)] };
  },
};

function nonceWarning(call: SystemCall, told: ToldInstruction): string {
  return `${ownerOf(call)} can withdraw what the nonce account ${who(told, 0)} holds.`;
}

/** Bytes of a nonce account. */
const nonceBytes = 80n;

/**
 * Room for data. An account with data pays nothing any more, and the network lets everybody initialize a
 * nonce account that has room for one: with an authority of their own, who then withdraws what it holds.
 */
function allocate(call: SystemCall, told: ToldInstruction): Told {
  const { space = 0n } = call;
  const account = who(told, 0);
  const warning =
    space < nonceBytes
      ? `The account ${account} holds data then, and can send no SOL by transfers any more.`
      : `Everybody can make the account ${account} a nonce account then, and withdraw what it holds.`;
  return {
    ...plain('PERMISSION_CHANGE', `Makes the account ${account} ${space} bytes long.`, told),
    warnings: space === 0n ? [] : [newAuthority(warning)],
  };
}

const newAuthority = (text: string) => ({ code: 'NEW_AUTHORITY', text }) as const;

const money = ({ lamports = 0n }: SystemCall): string => solText(lamports);

/** The readers take the keys that an instruction has. */
const ownerOf = ({ owner }: SystemCall): string => (owner === undefined ? '' : base58Key(owner));

const derivedText = ({ base, seed = '' }: SystemCall): string =>
  base === undefined
    ? ''
    : ` (derived from ${base58Key(base)} and the seed ${JSON.stringify(seed)})`;

function plain(kind: Effect['kind'], text: string, { program }: ToldInstruction): Told {
  return { effects: [{ kind, text, contract: program }], warnings: [] };
}

function moves(
  { lamports = 0n }: SystemCall,
  told: ToldInstruction,
  from: number,
  to: number,
  text: string,
): Told {
  const effect: Effect = {
    kind: 'TRANSFER',
    text,
    ...addressMember(told, 'from', from),
    ...addressMember(told, 'to', to),
    amount: String(lamports),
    asset: 'SOL',
  };
  return { effects: [effect], warnings: [] };
}

function createAccount(call: SystemCall, told: ToldInstruction, derived: string): Told {
  const text = `${who(told, 0)} puts ${money(call)} into the new account ${who(told, 1)}${derived} of ${call.space} bytes, which the program ${ownerOf(call)} owns.`;
  const moved = moves(call, told, 0, 1, text);
  if (who(told, 1) !== told.account.address) return moved;
  const warning = `The program ${ownerOf(call)} decides on all that the account ${who(told, 1)} holds.`;
  return { ...moved, warnings: [newAuthority(warning)] };
}

function newOwner(call: SystemCall, told: ToldInstruction, derived: string): Told {
  const owner = ownerOf(call);
  const text = `Makes the program ${owner} the owner of the account ${who(told, 0)}${derived}.`;
  const warning = `The program ${owner} decides on all that the account ${who(told, 0)} holds.`;
  return { ...plain('PERMISSION_CHANGE', text, told), warnings: [newAuthority(warning)] };
}
