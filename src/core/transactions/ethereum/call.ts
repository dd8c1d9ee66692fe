// The call in a transaction's data, by a stored interface.

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
   * Undefined where the data does not fit, or calls of the function cannot be decoded. Some contract may
   * still execute it.
   */
  readonly arguments: readonly NamedArgument[] | undefined;
};

/** An argument; one without a name goes by its position: `0`, `1`. */
export type NamedArgument = { readonly name: string; readonly value: AbiValue };

/** The called contract (20 bytes; empty for a contract creation) and the call data. */
export type Call = Pick<EthereumTransaction, 'to' | 'data'>;

/** The address of a contract as transactions name it: EIP-55, '' for none. */
export function addressText(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : eip55(hex(bytes));
}

/** `0x` and the first four bytes of the data; undefined where there are fewer, or no contract. */
export function selectorOf({ to, data }: Call): string | undefined {
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
