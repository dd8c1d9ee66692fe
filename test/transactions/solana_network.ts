// The rules of the network by which the reader may refuse transactions that libraries accept. Written
// without the reader's code.

import { programs } from '../../src/core/chains/solana/programs.ts';
import type { View } from './solana_oracles.ts';

/** Returns the first rule that a transaction breaks; undefined if it must be accepted. */
export function refusalOfNetwork(
  view: View,
  bytes: Uint8Array,
  account: string,
): string | undefined {
  return rules.find(({ isBroken }) => isBroken(view, bytes, account))?.name;
}

/** Returns true if an instruction of the system program is newer than the table below. */
export function hasUnknownOfSystem({ instructions, keys }: View): boolean {
  return instructions.some(
    ([program, , data]) =>
      keys[program] === programs.system &&
      Buffer.from(data, 'hex').readUInt32LE() >= systemRows.length,
  );
}

type Rule = {
  readonly name: string;
  readonly isBroken: (view: View, bytes: Uint8Array, account: string) => boolean;
};

const looked = ({ tables }: View): number =>
  tables.reduce((sum, [, writable, readonly]) => sum + writable.length + readonly.length, 0);

const rules: readonly Rule[] = [
  {
    name: 'too many bytes',
    isBroken: ({ version }, { length }) => length > (version === 'V1' ? 4096 : 1232),
  },
  { name: 'no signer', isBroken: ({ header: [required] }) => required === 0 },
  {
    name: 'nobody who pays',
    isBroken: ({ header: [required, readonlySigned] }) => readonlySigned >= required,
  },
  {
    name: 'more signers than keys',
    isBroken: ({ header: [required, , readonly], keys }) => required + readonly > keys.length,
  },
  { name: 'a key twice', isBroken: ({ keys }) => new Set(keys).size < keys.length },
  {
    name: 'a table that is not used',
    isBroken: ({ tables }) => tables.some(([, a, b]) => a.length + b.length === 0),
  },
  { name: 'too many accounts', isBroken: (view) => view.keys.length + looked(view) > 256 },
  {
    name: 'no such program',
    isBroken: ({ instructions, keys }) =>
      instructions.some(([program]) => program === 0 || program >= keys.length),
  },
  {
    name: 'no such account',
    isBroken: (view) =>
      view.instructions.some(([, accounts]) =>
        accounts.some((index) => index >= view.keys.length + looked(view)),
      ),
  },
  {
    name: 'too many accounts of an instruction',
    isBroken: ({ instructions }) => instructions.some(([, accounts]) => accounts.length > 255),
  },
  {
    name: 'a bound of version 1',
    isBroken: ({ version, keys, instructions, header: [required] }) =>
      version === 'V1' && (keys.length > 64 || instructions.length > 64 || required > 12),
  },
  {
    name: 'the config mask',
    isBroken: ({ config: [mask] = [0] }) => mask > 31 || mask % 4 === 1 || mask % 4 === 2,
  },
  {
    name: 'the heap',
    isBroken: ({ config }) => {
      const [mask = 0, ...values] = config ?? [];
      const heap = Number(values.at(-1) ?? 0n);
      return (Number(mask) & 16) !== 0 && !(heap >= 32768 && heap <= 262144 && heap % 1024 === 0);
    },
  },
  {
    name: 'the account does not sign',
    isBroken: ({ keys, header: [required] }, _, account) =>
      !keys.slice(0, required).includes(account),
  },
  {
    name: 'an instruction of the system program',
    isBroken: ({ instructions, keys }) =>
      instructions.some(
        ([program, accounts, data]) =>
          keys[program] === programs.system && !isSystem(Buffer.from(data, 'hex'), accounts.length),
      ),
  },
  {
    name: 'an instruction of a token program',
    isBroken: ({ instructions, keys }) =>
      instructions.some(
        ([program, accounts, data]) =>
          [programs.token, programs.token2022].some((each) => each === keys[program]) &&
          !isToken(Buffer.from(data, 'hex'), accounts.length),
      ),
  },
];

/**
 * By number of the instruction: the least number of bytes (with an empty seed) and of accounts, and the
 * position of the seed.
 */
const systemRows: readonly (readonly [bytes: number, accounts: number, seedAt?: number])[] = [
  [52, 2],
  [36, 1],
  [12, 2],
  [92, 2, 36],
  [4, 1],
  [12, 2],
  [36, 1],
  [36, 1],
  [12, 1],
  [84, 1, 36],
  [76, 1, 36],
  [52, 3, 12],
  [4, 1],
  [52, 1],
];

function isSystem(data: Buffer, accounts: number): boolean {
  if (data.length < 4) return false;
  const number = data.readUInt32LE();
  const row = systemRows[number];
  // The form of a newer instruction is not checked.
  if (row === undefined) return true;
  if (data.length < row[0] || accounts < row[1]) return false;
  // CreateAccountAllowPrefund needs a paying account if it pays anything.
  if (number === 13 && accounts < 2 && data.readBigUInt64LE(4) > 0n) return false;
  const [bytes, , seedAt] = row;
  if (seedAt === undefined) return true;
  const seedLength = Number(data.readBigUInt64LE(seedAt));
  if (seedLength > data.length - bytes) return false;
  const seed = data.subarray(seedAt + 8, seedAt + 8 + seedLength);
  return Buffer.from(seed.toString('utf8'), 'utf8').equals(seed);
}

/** By tag: the least number of bytes and of accounts. */
const tokenRows: Readonly<Record<number, readonly [bytes: number, accounts: number]>> = {
  3: [9, 3],
  4: [9, 3],
  5: [1, 2],
  7: [9, 3],
  8: [9, 3],
  9: [1, 3],
  10: [1, 3],
  11: [1, 3],
  12: [10, 4],
  13: [10, 4],
  14: [10, 3],
  15: [10, 3],
  17: [1, 1],
  38: [1, 3],
};

function isToken(data: Buffer, accounts: number): boolean {
  const [tag, second = 256, third = 256] = data;
  if (tag === undefined || tag === 255) return false;
  if (tag === 26) return second === 1 ? data.length >= 19 && accounts >= 4 : second < 256;
  if (tag === 6) return accounts >= 2 && (third === 0 || (third === 1 && data.length >= 35));
  if (tag === 45) return accounts >= 3 && (second === 0 || (second === 1 && data.length >= 10));
  const [bytes, least] = tokenRows[tag] ?? [1, 0];
  return data.length >= bytes && accounts >= least;
}
