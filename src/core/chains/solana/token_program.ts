// Instructions of the two token programs: a tag byte, then its arguments. Like the programs, this reader
// ignores surplus bytes and accounts.

import { refuseTransaction } from '../unreadable.ts';
import { type SolanaCursor, takeByte, takeBytes, takeUnsigned64 } from './cursor.ts';
import type { EncodedInstruction } from './instruction.ts';
import { keyBytes } from './limits.ts';

/** An instruction of a token program; arguments that it does not have are absent. */
export type TokenCall = {
  readonly program: 'token';
  /** `Other`: an instruction that neither moves tokens nor grants rights to them. */
  readonly name: TokenInstructionName | 'Other';
  readonly tag: number;
  /** In the smallest unit. */
  readonly amount?: bigint;
  /** The program fails if the mint has other decimals. */
  readonly decimals?: number;
  /** Withheld from the amount, in the smallest unit. */
  readonly fee?: bigint;
  /** The kind of authority, by number. */
  readonly authorityType?: number;
  /** The new authority; null removes the authority for good. */
  readonly newAuthority?: Uint8Array | null;
};

type TokenInstructionName =
  | 'Transfer'
  | 'Approve'
  | 'Revoke'
  | 'SetAuthority'
  | 'MintTo'
  | 'Burn'
  | 'CloseAccount'
  | 'FreezeAccount'
  | 'ThawAccount'
  | 'TransferChecked'
  | 'ApproveChecked'
  | 'MintToChecked'
  | 'BurnChecked'
  | 'SyncNative'
  | 'TransferCheckedWithFee'
  | 'WithdrawExcessLamports'
  | 'UnwrapLamports';

type Arguments = Omit<TokenCall, 'program' | 'name' | 'tag'>;

type Row = {
  readonly name: TokenInstructionName;
  /** Minimum number of accounts; the program rejects fewer. */
  readonly accounts: number;
  readonly take?: (cursor: SolanaCursor, place: string) => Arguments;
};

const rows: ReadonlyMap<number, Row> = new Map<number, Row>([
  [3, { name: 'Transfer', accounts: 3, take: takeAmount }],
  [4, { name: 'Approve', accounts: 3, take: takeAmount }],
  [5, { name: 'Revoke', accounts: 2 }],
  [6, { name: 'SetAuthority', accounts: 2, take: takeAuthority }],
  [7, { name: 'MintTo', accounts: 3, take: takeAmount }],
  [8, { name: 'Burn', accounts: 3, take: takeAmount }],
  [9, { name: 'CloseAccount', accounts: 3 }],
  [10, { name: 'FreezeAccount', accounts: 3 }],
  [11, { name: 'ThawAccount', accounts: 3 }],
  [12, { name: 'TransferChecked', accounts: 4, take: takeChecked }],
  [13, { name: 'ApproveChecked', accounts: 4, take: takeChecked }],
  [14, { name: 'MintToChecked', accounts: 3, take: takeChecked }],
  [15, { name: 'BurnChecked', accounts: 3, take: takeChecked }],
  [17, { name: 'SyncNative', accounts: 1 }],
  [38, { name: 'WithdrawExcessLamports', accounts: 3 }],
  [45, { name: 'UnwrapLamports', accounts: 3, take: takeOptionalAmount }],
]);

/** The tag of the extension for fees on transfers, followed by the tag of a transfer. */
const feeExtension = { tag: 26, transfer: 1 } as const;
const transferWithFee: Row = {
  name: 'TransferCheckedWithFee',
  accounts: 4,
  take: (cursor, place) => ({
    ...takeChecked(cursor, place),
    fee: takeUnsigned64(cursor, place),
  }),
};

/**
 * Tags whose arguments are not read, because the instructions move no tokens of an account. They set up
 * accounts and mints, return sizes and amounts, or change rules of Token-2022.
 */
const tagsWithoutTransfers: ReadonlySet<number> = new Set([
  ...[0, 1, 2, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37],
  ...[39, 40, 41, 42, 43, 44],
]);

/** Returns true if the tag is newer than this reader; such an instruction may move tokens. */
export function isUnknownTag(tag: number): boolean {
  return !rows.has(tag) && !tagsWithoutTransfers.has(tag);
}

/** A batch is one instruction that contains others. */
const batchTag = 255;

/**
 * Reads an instruction of a token program. Rejects an instruction without a tag, one that the program cannot
 * read, and a batch, whose transfers would be hidden from policies.
 */
export function readTokenCall({ data, accounts }: EncodedInstruction, place: string): TokenCall {
  const cursor: SolanaCursor = { bytes: data, offset: 0 };
  const tag = takeByte(cursor, place);
  if (tag === batchTag) {
    refuseTransaction(place, 'expected the instructions of a batch one by one, got a batch');
  }
  const row = rowOf(tag, cursor, place);
  if (row === undefined) return { program: 'token', name: 'Other', tag };
  const values = row.take?.(cursor, place) ?? {};
  if (accounts.length < row.accounts) {
    const expected = `expected at least ${row.accounts} accounts of ${row.name}`;
    refuseTransaction(place, `${expected}, got ${accounts.length}`);
  }
  return { program: 'token', name: row.name, tag, ...values };
}

function rowOf(tag: number, cursor: SolanaCursor, place: string): Row | undefined {
  if (tag !== feeExtension.tag) return rows.get(tag);
  return takeByte(cursor, place) === feeExtension.transfer ? transferWithFee : undefined;
}

function takeAmount(cursor: SolanaCursor, place: string): Arguments {
  return { amount: takeUnsigned64(cursor, place) };
}

function takeChecked(cursor: SolanaCursor, place: string): Arguments {
  return { amount: takeUnsigned64(cursor, place), decimals: takeByte(cursor, place) };
}

/** Takes an optional amount, which one byte announces; without it, the whole balance. */
function takeOptionalAmount(cursor: SolanaCursor, place: string): Arguments {
  return takeOption(cursor, place) ? takeAmount(cursor, place) : {};
}

function takeAuthority(cursor: SolanaCursor, place: string): Arguments {
  return {
    authorityType: takeByte(cursor, place),
    newAuthority: takeOption(cursor, place) ? takeBytes(cursor, keyBytes, place) : null,
  };
}

function takeOption(cursor: SolanaCursor, place: string): boolean {
  const option = takeByte(cursor, place);
  if (option > 1) refuseTransaction(place, `expected 0 or 1 before an option, got ${option}`);
  return option === 1;
}
