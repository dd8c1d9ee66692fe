// Encodes contract calls whose arguments are single words (Solidity ABI).

import type { ContractRead } from '../balances/evm_questions.ts';
import { bytesOfHex, concatBytes, hex, utf8 } from '../base/bytes.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';
import { word } from '../sends/abi_encoding.ts';
import type { StationCall } from '../sends/gas_station.ts';

/** Returns the call data of a function such as `approve(address,uint256)`. Addresses are numbers. */
export function callDataOf(signature: string, words: readonly bigint[]): Uint8Array {
  const selector = keccak256(utf8(signature)).subarray(0, 4);
  return concatBytes(selector, ...words.map(word));
}

/** Returns a read-only call. */
export const contractRead = (
  to: string,
  signature: string,
  words: readonly bigint[] = [],
): ContractRead => ({ to, data: `0x${hex(callDataOf(signature, words))}` });

/** Returns a call of a contract (lower-case hex with `0x`) without coins. */
export const contractCall = (
  to: string,
  signature: string,
  words: readonly bigint[],
): StationCall => ({ to: addressBytes(to), value: 0n, data: callDataOf(signature, words) });

/** Decodes an address of the settings. */
export function addressBytes(address: string): Uint8Array {
  const bytes = bytesOfHex(address.slice(2));
  assert(bytes !== undefined, 'addresses of contracts are hex');
  return bytes;
}

/** Reads the amount of tokens that a spender may take from an owner (ERC-20). */
export const allowanceOf = (token: string, owner: string, spender: string): ContractRead =>
  contractRead(token, 'allowance(address,address)', [BigInt(owner), BigInt(spender)]);

/** Allows a spender to take an amount of tokens (ERC-20). */
export const approvalOf = (token: string, spender: string, amount: bigint): StationCall =>
  contractCall(token, 'approve(address,uint256)', [BigInt(spender), amount]);
