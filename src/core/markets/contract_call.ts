// Calls of contracts whose arguments have one word each (Solidity ABI).

import { concatBytes, utf8 } from '../base/bytes.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { integerBytes } from '../payload/integers.ts';

/** Returns the call data of a function such as `approve(address,uint256)`. Addresses are numbers, too. */
export function callDataOf(signature: string, words: readonly bigint[]): Uint8Array {
  const selector = keccak256(utf8(signature)).subarray(0, 4);
  return concatBytes(selector, ...words.map((word) => integerBytes(word, 32)));
}
