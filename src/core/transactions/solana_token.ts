// Explains an instruction of a token program, in sentences.

import { amountText } from '../balances/amount_text.ts';
import { base58Key } from '../chains/solana/base58_key.ts';
import type { TokenCall } from '../chains/solana/token_program.ts';
import type { Effect, Warning } from '../organization/records/transaction_explanation.ts';
import {
  addressMember,
  solText,
  type Told,
  type ToldInstruction,
  unreadCall,
  who,
} from './solana_effects.ts';

/** The effects of an instruction, and who gets power by it. */
export function tokenEffects(call: TokenCall, told: ToldInstruction): Told {
  return rows[call.name](call, told);
}

type Tell = (call: TokenCall, told: ToldInstruction) => Told;

const rows: Readonly<Record<TokenCall['name'], Tell>> = {
  Transfer: (call, told) => {
    const text = `${who(told, 2)} moves ${units(call)} of a token from the token account ${who(told, 0)} to the token account ${who(told, 1)}.`;
    const warning = 'A transfer of tokens does not name the token.';
    return {
      effects: [moved(call, told, text, { from: 0, to: 1 })],
      warnings: [{ code: 'UNVERIFIED_AMOUNT', text: warning }],
    };
  },
  TransferChecked: (call, told) => {
    const text = `${who(told, 3)} moves ${units(call)} of the token ${who(told, 1)} from the token account ${who(told, 0)} to the token account ${who(told, 2)}.`;
    return only(moved(call, told, text, { from: 0, to: 2, asset: 1 }));
  },
  TransferCheckedWithFee: (call, told) => {
    const fee = units({ ...call, amount: call.fee ?? 0n });
    const text = `${who(told, 3)} moves ${units(call)} of the token ${who(told, 1)} from the token account ${who(told, 0)} to the token account ${who(told, 2)}, of which a fee of ${fee} is withheld.`;
    return only(moved(call, told, text, { from: 0, to: 2, asset: 1 }));
  },
  Approve: (call, told) => approval(call, told, { delegate: 1, owner: 2 }),
  ApproveChecked: (call, told) => approval(call, told, { mint: 1, delegate: 2, owner: 3 }),
  Revoke: (_, told) =>
    plain(
      'APPROVAL',
      `Nobody may move tokens of the token account ${who(told, 0)} for its owner any more.`,
      told,
    ),
  SetAuthority: setAuthority,
  MintTo: mint,
  MintToChecked: mint,
  Burn: burn,
  BurnChecked: burn,
  CloseAccount: (_, told) =>
    unsaidSol(
      told,
      `Closes the token account ${who(told, 0)} and sends all SOL in it to ${who(told, 1)}.`,
    ),
  WithdrawExcessLamports: (_, told) =>
    unsaidSol(told, `Sends the SOL in ${who(told, 0)} beyond its rent to ${who(told, 1)}.`),
  UnwrapLamports: (call, told) => {
    const { amount } = call;
    if (amount === undefined) {
      const text = `Sends all wrapped SOL of the token account ${who(told, 0)} to ${who(told, 1)} as SOL.`;
      return unsaidSol(told, text);
    }
    const text = `Sends ${solText(amount)} that is wrapped in the token account ${who(told, 0)} to ${who(told, 1)}.`;
    return only({
      kind: 'TRANSFER',
      text,
      ...addressMember(told, 'from', 0),
      ...addressMember(told, 'to', 1),
      amount: String(amount),
      asset: 'SOL',
    });
  },
  FreezeAccount: (_, told) =>
    plain('PERMISSION_CHANGE', `Freezes the token account ${who(told, 0)}.`, told),
  ThawAccount: (_, told) =>
    plain('PERMISSION_CHANGE', `Thaws the token account ${who(told, 0)}.`, told),
  SyncNative: (_, told) =>
    plain('CALL', `Wraps the SOL that was sent to the token account ${who(told, 0)}.`, told),
  Other: ({ tag }, told) => {
    if (setUp.has(tag)) {
      return plain('CALL', `Sets up ${who(told, 0)} for the token program.`, told);
    }
    const extension = extensions.get(tag);
    const call = `Calls instruction ${tag} of the token program ${told.program}`;
    if (extension === undefined) return unreadCall(told, `${call}.`);
    const { warnings } = unreadCall(told, call);
    const text = `${call}, about ${extension.about} of ${who(told, 0)}.`;
    const power: readonly Warning[] =
      extension.power === undefined
        ? []
        : [{ code: 'NEW_AUTHORITY', text: `${extension.power(who(told, 0))}.` }];
    return { ...plain('PERMISSION_CHANGE', text, told), warnings: [...power, ...warnings] };
  },
};

type Extension = {
  readonly about: string;
  /** Who may get power by it, over the account or mint that it names. */
  readonly power?: (account: string) => string;
};

/** Tags of Token-2022 by which accounts and mints get other rules. Their arguments are not read. */
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
        `Programs that are called may be let move tokens of the token account ${account}`,
    },
  ],
  [
    35,
    {
      about: 'a permanent delegate',
      power: (account) => `A permanent delegate can take all tokens of ${account} from everybody`,
    },
  ],
  [
    36,
    {
      about: 'the program that transfers call',
      power: (account) => `Another program decides on transfers of the token ${account}`,
    },
  ],
  [37, { about: 'fees on confidential transfers' }],
  [39, { about: 'where the name of the token stands' }],
  [40, { about: 'the group of the token' }],
  [41, { about: 'the group of the token' }],
  [42, { about: 'confidential minting and burning' }],
  [43, { about: 'the scale of shown amounts' }],
  [44, { about: 'the pause of the token' }],
]);

/** Tags that make a mint, a token account or a group of owners of what was empty before. */
const setUp: ReadonlySet<number> = new Set([0, 1, 2, 16, 18, 19, 20, 22]);

const only = (effect: Effect): Told => ({ effects: [effect], warnings: [] });

function plain(kind: Effect['kind'], text: string, { program }: ToldInstruction): Told {
  return only({ kind, text, contract: program });
}

/** The decimals of an instruction are right where it succeeds: the program compares them. */
function units({ amount = 0n, decimals }: TokenCall): string {
  return decimals === undefined
    ? `${amount} of the smallest unit`
    : amountText(String(amount), decimals);
}

function moved(
  { amount = 0n }: TokenCall,
  told: ToldInstruction,
  text: string,
  positions: { readonly [name in 'from' | 'to' | 'asset']?: number },
): Effect {
  const { from, to, asset } = positions;
  return {
    kind: 'TOKEN_TRANSFER',
    text,
    ...(from === undefined ? {} : addressMember(told, 'from', from)),
    ...(to === undefined ? {} : addressMember(told, 'to', to)),
    amount: String(amount),
    ...(asset === undefined ? {} : addressMember(told, 'asset', asset)),
  };
}

function mint(call: TokenCall, told: ToldInstruction): Told {
  const text = `Makes ${units(call)} of the token ${who(told, 0)} in the token account ${who(told, 1)}.`;
  return only(moved(call, told, text, { to: 1, asset: 0 }));
}

function burn(call: TokenCall, told: ToldInstruction): Told {
  const text = `Destroys ${units(call)} of the token ${who(told, 1)} in the token account ${who(told, 0)}.`;
  return only(moved(call, told, text, { from: 0, asset: 1 }));
}

/** All that a token account could ever hold. */
const unlimited = 2n ** 64n - 1n;

function approval(
  call: TokenCall,
  told: ToldInstruction,
  positions: { readonly mint?: number; readonly delegate: number; readonly owner: number },
): Told {
  const { mint: mintPosition, delegate, owner } = positions;
  const { amount = 0n } = call;
  const account = `the token account ${who(told, 0)}`;
  const token = mintPosition === undefined ? '' : ` of the token ${who(told, mintPosition)}`;
  const isUnlimited = amount === unlimited;
  const most = isUnlimited ? 'all tokens' : `up to ${units(call)}${token}`;
  const effect: Effect = {
    kind: 'APPROVAL',
    text: `${who(told, owner)} lets ${who(told, delegate)} move ${most} from ${account}.`,
    ...addressMember(told, 'from', 0),
    ...addressMember(told, 'to', delegate),
    amount: String(amount),
    ...(mintPosition === undefined ? {} : addressMember(told, 'asset', mintPosition)),
  };
  const warning: Warning = isUnlimited
    ? {
        code: 'UNLIMITED_APPROVAL',
        text: `${who(told, delegate)} can take all tokens of ${account} at any later time.`,
      }
    : {
        code: 'APPROVAL',
        text: `${who(told, delegate)} can take tokens of ${account} at any later time.`,
      };
  return { effects: [effect], warnings: [warning] };
}

/** By number; the others are of extensions of Token-2022. */
const authorityNames = ['minting', 'freezing', 'owning', 'closing'] as const;

function setAuthority({ authorityType = 0, newAuthority }: TokenCall, told: ToldInstruction): Told {
  const power = authorityNames[authorityType] ?? `kind ${authorityType}`;
  const over = `the authority for ${power} over ${who(told, 0)}`;
  if (newAuthority === undefined || newAuthority === null) {
    const text = `Nobody has ${over} any more.`;
    const warning = `${upperFirst(over)} is given up for ever.`;
    return {
      ...plain('PERMISSION_CHANGE', text, told),
      warnings: [{ code: 'NEW_AUTHORITY', text: warning }],
    };
  }
  const holder = base58Key(newAuthority);
  return {
    effects: [
      {
        kind: 'PERMISSION_CHANGE',
        text: `Gives ${over} to ${holder}.`,
        to: holder,
        contract: told.program,
      },
    ],
    warnings: [{ code: 'NEW_AUTHORITY', text: `${holder} gets ${over}.` }],
  };
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** SOL of which the instruction does not tell the amount. */
export function unsaidSol(told: ToldInstruction, text: string): Told {
  const effect: Effect = {
    kind: 'TRANSFER',
    text,
    ...addressMember(told, 'from', 0),
    ...addressMember(told, 'to', 1),
    asset: 'SOL',
  };
  if (who(told, 1) === told.account.address) return only(effect);
  const warning = `The transaction does not tell how much SOL ${who(told, 1)} gets from ${who(told, 0)}.`;
  return { effects: [effect], warnings: [{ code: 'UNVERIFIED_AMOUNT', text: warning }] };
}
