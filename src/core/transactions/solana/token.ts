// Explains an instruction of a token program, in sentences.

import { amountText } from '../../balances/amount_text.ts';
import { base58Key } from '../../chains/solana/base58_key.ts';
import { keyBytes } from '../../chains/solana/limits.ts';
import type { TokenCall } from '../../chains/solana/token_program.ts';
import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import {
  addressMember,
  type InstructionContext,
  type InstructionExplanation,
  movesSol,
  plain,
  sentence,
  solText,
  unreadCall,
  who,
} from './effects.ts';
import { isHiddenTransfer } from './facts.ts';

/** Explains an instruction, and warns of new authorities. */
export function tokenEffects(call: TokenCall, context: InstructionContext): InstructionExplanation {
  return rows[call.name](call, context);
}

type Explain = (call: TokenCall, context: InstructionContext) => InstructionExplanation;

const rows: Readonly<Record<TokenCall['name'], Explain>> = {
  Transfer: (call, context) => {
    const text = `${who(context, 2)} moves ${units(call)} of a token from the token account ${who(context, 0)} to the token account ${who(context, 1)}.`;
    const warning = 'A transfer of tokens does not name the token.';
    return {
      effects: [moved(call, context, text, { from: 0, to: 1 })],
      warnings: [{ code: 'UNVERIFIED_AMOUNT', text: warning }],
    };
  },
  TransferChecked: (call, context) => {
    const text = `${who(context, 3)} moves ${units(call)} of the token ${who(context, 1)} from the token account ${who(context, 0)} to the token account ${who(context, 2)}.`;
    return only(moved(call, context, text, { from: 0, to: 2, asset: 1 }));
  },
  TransferCheckedWithFee: (call, context) => {
    const fee = units({ ...call, amount: call.fee ?? 0n });
    const text = `${who(context, 3)} moves ${units(call)} of the token ${who(context, 1)} from the token account ${who(context, 0)} to the token account ${who(context, 2)}, of which a fee of ${fee} is withheld.`;
    return only(moved(call, context, text, { from: 0, to: 2, asset: 1 }));
  },
  Approve: (call, context) => approval(call, context, { delegate: 1, owner: 2 }),
  ApproveChecked: (call, context) => approval(call, context, { mint: 1, delegate: 2, owner: 3 }),
  Revoke: says('APPROVAL', 'Revokes the allowance of the delegate of the token account {0}.'),
  SetAuthority: setAuthority,
  MintTo: mint,
  MintToChecked: mint,
  Burn: burn,
  BurnChecked: burn,
  CloseAccount: (_, context) =>
    unsaidSol(context, 'Closes the token account {0} and sends all SOL in it to {1}.'),
  WithdrawExcessLamports: (_, context) =>
    unsaidSol(context, 'Sends the SOL in {0} beyond its rent to {1}.'),
  UnwrapLamports: (call, context) => {
    const { amount } = call;
    if (amount === undefined) {
      return unsaidSol(context, 'Sends all wrapped SOL of the token account {0} to {1} as SOL.');
    }
    const text = `Sends ${solText(amount)} that is wrapped in the token account ${who(context, 0)} to ${who(context, 1)}.`;
    return movesSol(context, [0, 1], amount, text);
  },
  FreezeAccount: says('PERMISSION_CHANGE', 'Freezes the token account {0}.'),
  ThawAccount: says('PERMISSION_CHANGE', 'Thaws the token account {0}.'),
  SyncNative: says('CALL', 'Wraps the SOL that was sent to the token account {0}.'),
  Other: ({ tag }, context) => {
    if (isHiddenTransfer(context.instruction)) return hiddenTransfer(context);
    if (setUp.has(tag)) {
      const owner = ownerOfNew(tag, context);
      const text =
        owner === undefined
          ? `Sets up ${who(context, 0)} for the token program.`
          : `Makes ${who(context, 0)} a token account of the token ${who(context, 1)}, which ${owner} owns.`;
      return plain(context, 'CALL', text);
    }
    const extension = extensions.get(tag);
    const call = `Calls instruction ${tag} of the token program ${context.program}`;
    if (extension === undefined) return unreadCall(context, `${call}.`);
    const { warnings } = unreadCall(context, call);
    const text = `${call}, about ${extension.about} of ${who(context, 0)}.`;
    const power: readonly Warning[] =
      extension.power === undefined
        ? []
        : [{ code: 'NEW_AUTHORITY', text: `${extension.power(who(context, 0))}.` }];
    return plain(context, 'PERMISSION_CHANGE', text, [...power, ...warnings]);
  },
};

function hiddenTransfer(context: InstructionContext): InstructionExplanation {
  const [from, token, to] = [0, 1, 2].map((place) => who(context, place));
  const effect: Effect = {
    kind: 'TOKEN_TRANSFER',
    text: `Moves a hidden amount of the token ${token} from the token account ${from} to the token account ${to}.`,
    ...addressMember(context, 'from', 0),
    ...addressMember(context, 'to', 2),
    ...addressMember(context, 'asset', 1),
  };
  const text = `The transaction hides how much of the token ${token} it moves.`;
  return { effects: [effect], warnings: [{ code: 'UNVERIFIED_AMOUNT', text }] };
}

type Extension = {
  readonly about: string;
  /** Describes the authority that it may grant over the account or mint. */
  readonly power?: (account: string) => string;
};

/** Instruction tags of Token-2022 that change the rules of accounts and mints; arguments are not read. */
const extensions: ReadonlyMap<number, Extension> = new Map<number, Extension>([
  [25, { about: 'who may close the mint' }],
  [26, { about: 'the fees on transfers' }],
  [27, { about: 'confidential transfers' }],
  [28, { about: 'whether new token accounts are frozen' }],
  [29, { about: 'the room for extensions' }],
  [30, { about: 'whether transfers need a memo' }],
  [33, { about: 'the interest' }],
  [
    34,
    {
      about: 'the guard against other programs',
      power: (account) =>
        `Other programs may be allowed to move tokens of the token account ${account}`,
    },
  ],
  [
    35,
    {
      about: 'the permanent delegate',
      power: (account) => `A permanent delegate can take all tokens of ${account} from anyone`,
    },
  ],
  [
    36,
    {
      about: 'the transfer hook',
      power: (account) => `Another program decides on transfers of the token ${account}`,
    },
  ],
  [37, { about: 'fees on confidential transfers' }],
  [39, { about: 'the address of the token metadata' }],
  [40, { about: 'the token group' }],
  [41, { about: 'the token group' }],
  [42, { about: 'confidential minting and burning' }],
  [43, { about: 'the scale of shown amounts' }],
  [44, { about: 'the pausing of the token' }],
]);

/** Instruction tags that turn an empty account into a mint, a token account or a multisignature account. */
const setUp: ReadonlySet<number> = new Set([0, 1, 2, 16, 18, 19, 20, 22]);

/** Instruction tags that create a token account, and the place of its owner: an account or the data. */
const newAccounts: ReadonlyMap<number, 'account' | 'data'> = new Map([
  [1, 'account'],
  [16, 'data'],
  [18, 'data'],
]);

/** Returns the owner of the token account that an instruction creates, if it does. */
function ownerOfNew(tag: number, context: InstructionContext): string | undefined {
  const { accounts, data } = context.instruction;
  const place = newAccounts.get(tag);
  if (place === 'account' && accounts.length > 2) return who(context, 2);
  const isInData = place === 'data' && accounts.length > 1 && data.length > keyBytes;
  return isInData ? base58Key(data.subarray(1, 1 + keyBytes)) : undefined;
}

const only = (effect: Effect): InstructionExplanation => ({ effects: [effect], warnings: [] });

/** Explains an instruction by one sentence about its accounts. */
function says(kind: Effect['kind'], text: string): Explain {
  return (_, context) => plain(context, kind, sentence(context, text));
}

/** Returns an amount. The program verifies the decimals, so they are right if the instruction succeeds. */
function units({ amount = 0n, decimals }: TokenCall): string {
  return decimals === undefined
    ? `${amount} of the smallest unit`
    : amountText(String(amount), decimals);
}

function moved(
  { amount = 0n }: TokenCall,
  context: InstructionContext,
  text: string,
  positions: { readonly [name in 'from' | 'to' | 'asset']?: number },
): Effect {
  const { from, to, asset } = positions;
  return {
    kind: 'TOKEN_TRANSFER',
    text,
    ...(from === undefined ? {} : addressMember(context, 'from', from)),
    ...(to === undefined ? {} : addressMember(context, 'to', to)),
    amount: String(amount),
    ...(asset === undefined ? {} : addressMember(context, 'asset', asset)),
  };
}

function mint(call: TokenCall, context: InstructionContext): InstructionExplanation {
  const text = `Mints ${units(call)} of the token ${who(context, 0)} in the token account ${who(context, 1)}.`;
  return only(moved(call, context, text, { to: 1, asset: 0 }));
}

function burn(call: TokenCall, context: InstructionContext): InstructionExplanation {
  const text = `Burns ${units(call)} of the token ${who(context, 1)} in the token account ${who(context, 0)}.`;
  return only(moved(call, context, text, { from: 0, asset: 1 }));
}

/** Maximum amount of a token account. */
const unlimited = 2n ** 64n - 1n;

function approval(
  call: TokenCall,
  context: InstructionContext,
  positions: { readonly mint?: number; readonly delegate: number; readonly owner: number },
): InstructionExplanation {
  const { mint: mintPosition, delegate, owner } = positions;
  const { amount = 0n } = call;
  const account = `the token account ${who(context, 0)}`;
  const token = mintPosition === undefined ? '' : ` of the token ${who(context, mintPosition)}`;
  const isUnlimited = amount === unlimited;
  const most = isUnlimited ? 'all tokens' : `up to ${units(call)}${token}`;
  const effect: Effect = {
    kind: 'APPROVAL',
    text: `${who(context, owner)} lets ${who(context, delegate)} move ${most} from ${account}.`,
    ...addressMember(context, 'from', 0),
    ...addressMember(context, 'to', delegate),
    amount: String(amount),
    ...(mintPosition === undefined ? {} : addressMember(context, 'asset', mintPosition)),
  };
  const warning: Warning = isUnlimited
    ? {
        code: 'UNLIMITED_APPROVAL',
        text: `${who(context, delegate)} can take all tokens of ${account} at any later time.`,
      }
    : {
        code: 'APPROVAL',
        text: `${who(context, delegate)} can take tokens of ${account} at any later time.`,
      };
  return { effects: [effect], warnings: [warning] };
}

/** Kinds of authorities, by number. Those after `closing` belong to extensions of Token-2022. */
const authorityNames = [
  'minting',
  'freezing',
  'owning',
  'closing',
  'setting fees on transfers',
  'taking withheld fees',
  'closing the mint',
  'setting the interest',
  'taking all tokens from anyone',
  'setting up confidential transfers',
  'setting the program of transfers',
  'setting up fees on confidential transfers',
  'setting the address of the metadata',
  'setting the address of the group',
  'setting the address of the group member',
  'scaling shown amounts',
  'pausing',
] as const;

function setAuthority(
  { authorityType = 0, newAuthority }: TokenCall,
  context: InstructionContext,
): InstructionExplanation {
  const power = authorityNames[authorityType] ?? `kind ${authorityType}`;
  const over = `the authority for ${power} over ${who(context, 0)}`;
  if (newAuthority === undefined || newAuthority === null) {
    const text = `Removes ${over}.`;
    const warning = `${upperFirst(over)} is given up permanently.`;
    return plain(context, 'PERMISSION_CHANGE', text, [{ code: 'NEW_AUTHORITY', text: warning }]);
  }
  const holder = base58Key(newAuthority);
  return {
    effects: [
      {
        kind: 'PERMISSION_CHANGE',
        text: `Gives ${over} to ${holder}.`,
        to: holder,
        contract: context.program,
      },
    ],
    warnings: [{ code: 'NEW_AUTHORITY', text: `${holder} gets ${over}.` }],
  };
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns an effect that moves an unstated amount of SOL. `sentence` completes the text. */
export function unsaidSol(
  context: InstructionContext,
  text: string,
  [from, to]: readonly [from: number, to: number] = [0, 1],
): InstructionExplanation {
  const moved = movesSol(context, [from, to], undefined, sentence(context, text));
  if (who(context, to) === context.account.address) return moved;
  const warning = `The transaction does not state how much SOL ${who(context, to)} gets from ${who(context, from)}.`;
  return { ...moved, warnings: [{ code: 'UNVERIFIED_AMOUNT', text: warning }] };
}
