// The call in a transaction's data: by a stored interface, and by the token standards.

import { eip55 } from '../../address/ethereum.ts';
import { hex, utf8 } from '../../base/bytes.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import { type AbiValue, decodeArguments } from '../../contracts/abi_arguments.ts';
import { type CallableFunction, functionOfAbi } from '../../contracts/abi_functions.ts';
import { layoutOf } from '../../contracts/abi_layout.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import type { InterfaceTexts } from '../described.ts';

/** A call of a function that a stored interface names. */
export type ReadCall = {
  readonly function: CallableFunction;
  /**
   * Undefined where the data does not fit, or calls of the function cannot be decoded. Some contract may
   * still execute it.
   */
  readonly arguments: readonly NamedArgument[] | undefined;
};

/** An argument; one without a name goes by its position: `0`, `1`. */
export type NamedArgument = { readonly name: string; readonly value: AbiValue };

/** The address of a contract as transactions name it: EIP-55, '' for none. */
export function addressText(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : eip55(hex(bytes));
}

/** `0x` and the first four bytes of the data; undefined where there are fewer, or no contract. */
export function selectorOf({ to, data }: EthereumTransaction): string | undefined {
  return to.length === 0 || data.length < 4 ? undefined : `0x${hex(data.subarray(0, 4))}`;
}

/** Returns true if some contract could read a call of a function in the data. */
export const mayCall = ({ to, data }: EthereumTransaction): boolean =>
  to.length > 0 && data.length > 0;

/**
 * The call by the interface of the contract; undefined where none is stored or names the selector. In fewer
 * than four bytes contracts of old compilers read a selector that ends with zeros.
 */
export function readCall(
  transaction: EthereumTransaction,
  interfaces: InterfaceTexts,
): ReadCall | undefined {
  const { to, data } = transaction;
  const stored = interfaces.get(addressText(to));
  if (!mayCall(transaction) || stored === undefined) return undefined;
  const called = functionOfAbi(stored, `0x${hex(data.subarray(0, 4)).padEnd(8, '0')}`);
  if (called === undefined) return undefined;
  const { layout } = called;
  const values =
    layout === undefined || data.length < 4 ? undefined : decodeArguments(layout, data.subarray(4));
  return {
    function: called,
    arguments: values?.map((value, i) => {
      const name = called.inputs[i]?.name ?? '';
      return { name: name === '' ? String(i) : name, value };
    }),
  };
}

/** A call that ERC-20, ERC-721 and ERC-1155 define; other contracts may mean another thing by it. */
export type StandardCall = {
  readonly signature: string;
  /** True if every contract reads the arguments alike: they are there, and without dirty bytes. */
  readonly isExact: boolean;
} & (
  | {
      readonly kind: 'transfer';
      readonly from: string;
      readonly to: string;
      readonly amount: bigint;
    }
  | { readonly kind: 'approve'; readonly to: string; readonly amount: bigint }
  | { readonly kind: 'approveAll'; readonly to: string; readonly isAllowed: boolean }
);

/**
 * The standard call in the data. What is not exact is read as the most lenient contract does: without the
 * upper bytes of an address, and with zeros where the data ends. `from` is the account that signs.
 */
export function standardCall(
  transaction: EthereumTransaction,
  from: string,
): StandardCall | undefined {
  const row = standardCalls.get(selectorOf(transaction) ?? '');
  if (row === undefined) return undefined;
  const { signature, layout, read } = row;
  const data = transaction.data.subarray(4);
  const isExact = decodeArguments(layout, data) !== undefined;
  return { signature, isExact, ...read(wordsOf(data), from) };
}

type Words = { address(index: number): string; number(index: number): bigint };
type Meaning = StandardCall extends infer Each
  ? Each extends StandardCall
    ? Omit<Each, 'signature' | 'isExact'>
    : never
  : never;
type ReadWords = (words: Words, from: string) => Meaning;

function row(signature: string, read: ReadWords) {
  const types = signature.slice(signature.indexOf('(') + 1, -1).split(',');
  const layout = layoutOf(types.map((type) => ({ name: '', type })));
  const selector = `0x${hex(keccak256(utf8(signature)).subarray(0, 4))}`;
  return [selector, { signature, layout, read }] as const;
}

const standardCalls = new Map([
  row('transfer(address,uint256)', (words, from) => ({
    kind: 'transfer',
    from,
    to: words.address(0),
    amount: words.number(1),
  })),
  row('transferFrom(address,address,uint256)', (words) => ({
    kind: 'transfer',
    from: words.address(0),
    to: words.address(1),
    amount: words.number(2),
  })),
  row('approve(address,uint256)', (words) => ({
    kind: 'approve',
    to: words.address(0),
    amount: words.number(1),
  })),
  row('setApprovalForAll(address,bool)', (words) => ({
    kind: 'approveAll',
    to: words.address(0),
    isAllowed: words.number(1) !== 0n,
  })),
]);

function wordsOf(data: Uint8Array): Words {
  const padded = new Uint8Array(3 * 32);
  padded.set(data.subarray(0, padded.length));
  return {
    address: (index) => eip55(hex(padded.subarray(32 * index + 12, 32 * index + 32))),
    number: (index) => BigInt(`0x${hex(padded.subarray(32 * index, 32 * index + 32))}`),
  };
}
