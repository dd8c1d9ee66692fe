// Decodes the call in a transaction's data by a stored interface.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import { type AbiValue, decodeArguments } from '../../contracts/abi_arguments.ts';
import { type CallableFunction, functionOfAbi } from '../../contracts/abi_functions.ts';
import type { InterfaceTexts } from '../described.ts';

/** A call of a function that a stored interface names. */
export type ReadCall = {
  readonly function: CallableFunction;
  /**
   * Undefined if the data does not match, or if the function's calls cannot be decoded. A contract may still
   * execute the call.
   */
  readonly arguments: readonly NamedArgument[] | undefined;
};

/** An argument. Arguments without a name are named by their position: `0`, `1`. */
export type NamedArgument = { readonly name: string; readonly value: AbiValue };

/** The called contract (20 bytes; empty for a contract creation) and the call data. */
export type Call = Pick<EthereumTransaction, 'to' | 'data'>;

/** Returns the address of a contract in EIP-55, '' for none. */
export function addressText(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : eip55(hex(bytes));
}

/** Returns true for the zero address, which stands for no account or for the coin of the chain. */
export const isZeroAddress = (account: Uint8Array): boolean => account.every((byte) => byte === 0);

/** Returns `0x` and the first four bytes of the data; undefined for shorter data or without a contract. */
export function selectorOf({ to, data }: Call): string | undefined {
  return to.length === 0 || data.length < 4 ? undefined : `0x${hex(data.subarray(0, 4))}`;
}

/** Returns true if a contract could interpret the data as a function call. */
export const mayCall = ({ to, data }: EthereumTransaction): boolean =>
  to.length > 0 && data.length > 0;

/**
 * Returns the call by the interface of the contract; undefined without an interface or a function with the
 * selector. In fewer than four bytes, contracts of old compilers read a selector padded with zeros.
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
