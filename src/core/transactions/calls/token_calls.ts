// Calls in the form of token functions: ERC-20 with its permit, ERC-677, ERC-777, ERC-1363, ERC-3009 and the
// names of DAI, TIP-20 of Tempo, TRC-20 of Tron. The selector identifies a function, not what the contract
// does. Explanations and limits of all types of transactions share this table, since a chain may accept
// transactions of several types.

import { hex, utf8 } from '../../base/bytes.ts';
import { decodeArguments } from '../../contracts/abi_arguments.ts';
import { layoutOf } from '../../contracts/abi_layout.ts';
import { keccak256 } from '../../crypto/hashes.ts';

/** Call data in the form of a token function. Accounts are 20 bytes. */
export type TokenCall = {
  /** The function with its parameter types. */
  readonly signature: string;
  readonly effect: TokenFunction['effect'];
  /** Owner of the tokens. Default: the caller. */
  readonly from?: Uint8Array;
  /** Recipient or spender of the tokens. */
  readonly to: Uint8Array;
  /** In the smallest unit; for an approval, the allowance or the increase. */
  readonly amount: bigint;
};

/** A token function. Its first parameters are the owner if it names one, the other account and the amount. */
export type TokenFunction = {
  /** Hex without `0x`. */
  readonly selector: string;
  readonly signature: string;
  readonly standard: TokenStandard;
  readonly effect: 'transfer' | 'approval' | 'increase';
  readonly namesOwner: boolean;
};

type TokenStandard =
  | 'ERC-20'
  | 'ERC-20 or ERC-721'
  | 'ERC-677 or ERC-1363'
  | 'ERC-777'
  | 'ERC-1363'
  | 'DAI'
  | 'TIP-20';

const authorized = 'address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32';

/** Signatures by selector. Nodes before 26, under which commands read transactions, lack Keccak-256. */
type Signatures = Readonly<Record<string, string>>;

/** Functions by their effect; those with two addresses name the owner first. */
const table: readonly (readonly [TokenFunction['effect'], TokenStandard, Signatures])[] = [
  ['transfer', 'ERC-20', { a9059cbb: 'transfer(address,uint256)' }],
  ['transfer', 'ERC-20 or ERC-721', { '23b872dd': 'transferFrom(address,address,uint256)' }],
  [
    'transfer',
    'TIP-20',
    {
      '95777d59': 'transferWithMemo(address,uint256,bytes32)',
      '929c2539': 'transferFromWithMemo(address,address,uint256,bytes32)',
    },
  ],
  [
    'transfer',
    'ERC-677 or ERC-1363',
    {
      '1296ee62': 'transferAndCall(address,uint256)',
      '4000aea0': 'transferAndCall(address,uint256,bytes)',
    },
  ],
  [
    'transfer',
    'ERC-1363',
    {
      d8fbe994: 'transferFromAndCall(address,address,uint256)',
      c1d34b89: 'transferFromAndCall(address,address,uint256,bytes)',
    },
  ],
  [
    'transfer',
    'DAI',
    { b753a98c: 'push(address,uint256)', bb35783b: 'move(address,address,uint256)' },
  ],
  [
    'transfer',
    'ERC-777',
    {
      '9bd9bbc6': 'send(address,uint256,bytes)',
      '62ad1b83': 'operatorSend(address,address,uint256,bytes,bytes)',
    },
  ],
  [
    'transfer',
    'ERC-20',
    {
      e3ee160e: `transferWithAuthorization(${authorized})`,
      ef55bec6: `receiveWithAuthorization(${authorized})`,
    },
  ],
  ['approval', 'ERC-20 or ERC-721', { '095ea7b3': 'approve(address,uint256)' }],
  [
    'approval',
    'ERC-1363',
    {
      '3177029f': 'approveAndCall(address,uint256)',
      cae9ca51: 'approveAndCall(address,uint256,bytes)',
    },
  ],
  [
    'approval',
    'ERC-20',
    { d505accf: 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)' },
  ],
  [
    'increase',
    'ERC-20',
    {
      '39509351': 'increaseAllowance(address,uint256)',
      d73dd623: 'increaseApproval(address,uint256)',
    },
  ],
];

/** Returns the selector of a signature: the first bytes of its Keccak-256, in hex. */
export const selectorOfSignature = (signature: string): string =>
  hex(keccak256(utf8(signature)).subarray(0, selectorBytes));

export const typesOf = (signature: string): readonly string[] =>
  signature.slice(signature.indexOf('(') + 1, -1).split(',');

const wordBytes = 32;
const selectorBytes = 4;

export const tokenFunctions: readonly TokenFunction[] = table.flatMap(
  ([effect, standard, signatures]) =>
    Object.entries(signatures).map(([selector, signature]) => {
      const namesOwner = typesOf(signature)[1] === 'address';
      return { selector, signature, standard, effect, namesOwner };
    }),
);

const functions = new Map(tokenFunctions.map((each) => [each.selector, each]));

const functionIn = (data: Uint8Array): TokenFunction | undefined =>
  functions.get(hex(data.subarray(0, selectorBytes)));

/**
 * Parses call data in the form of a token function. Undefined for other data, for surplus bytes, and for
 * arguments that compilers treat differently.
 */
export function readTokenCall(data: Uint8Array): TokenCall | undefined {
  const found = functionIn(data);
  if (found === undefined) return undefined;
  const types = typesOf(found.signature);
  const isExact = data.length === selectorBytes + wordBytes * types.length;
  if (!isExact && !types.includes('bytes')) return undefined;
  const layout = layoutOf(types.map((type) => ({ name: '', type })));
  const isClean = decodeArguments(layout, data.subarray(selectorBytes)) !== undefined;
  return isClean ? movedByCall(data) : undefined;
}

/**
 * Returns the transfer or the allowance that a call may make, for velocity controls. Like contracts, ignores
 * bytes after the words of a call, and reads the last 20 bytes of an address. Undefined for another selector.
 */
export function movedByCall(data: Uint8Array): TokenCall | undefined {
  const found = functionIn(data);
  if (found === undefined) return undefined;
  const { signature, effect, namesOwner } = found;
  const words = new Uint8Array(3 * wordBytes);
  words.set(data.subarray(selectorBytes, selectorBytes + words.length));
  const wordOf = (index: number) => words.subarray(index * wordBytes, (index + 1) * wordBytes);
  const accountOf = (index: number) => wordOf(index).subarray(wordBytes - 20);
  const [to, amount] = namesOwner ? [1, 2] : [0, 1];
  return {
    signature,
    effect,
    ...(namesOwner ? { from: accountOf(0) } : {}),
    to: accountOf(to),
    amount: BigInt(`0x${hex(wordOf(amount))}`),
  };
}

/** The maximum of a word (uint256). As an allowance it has no limit, and no token has it as its number. */
export const maximumWord = 2n ** 256n - 1n;

/** Allowances from this value count as unlimited, since no known token has as many units. */
export const unlimitedAmount = 2n ** 128n;
