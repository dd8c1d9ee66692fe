// EIP-7702: an account delegates to the code at an address.

import { concatBytes } from '../base/bytes.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { newPayloadBudget } from './budget.ts';
import { readPrefixedHexadecimal } from './hexadecimal.ts';
import { readInteger, unsignedRange } from './integers.ts';
import { memberOf, readJsonObject } from './json_payload.ts';
import { quoted, refusePayload } from './refusal.ts';
import { encodeRlp, rlpInteger } from './rlp.ts';

/** The content of an authorization. */
export type Authorization = {
  /** The 20-byte address of the code. */
  readonly address: Uint8Array;
  /** The chain it holds on, up to 256 bits; 0 means every chain. */
  readonly chainId: bigint;
  /** The account's nonce for which it is valid, up to 64 bits. */
  readonly nonce: bigint;
};

/** Maximum length of an authorization as JSON, in characters; useful ones have fewer than 300. */
export const maxAuthorizationLength = 1024;

/**
 * Parses an authorization from JSON, `{ address, chainId, nonce }`. The address is 20 bytes of hex with `0x`
 * in any case; integers are numbers, decimal or `0x` strings. Rejects other members, which would look signed
 * without being hashed. Raises `field_invalid` with the path of the wrong member.
 */
export function readAuthorization(payload: string, path: string): Authorization {
  const object = readJsonObject(payload, maxAuthorizationLength, path, newPayloadBudget());
  for (const name of Object.keys(object)) {
    if (!members.includes(name)) {
      refusePayload(path, `unknown member ${quoted(name)}, expected address, chainId and nonce`);
    }
  }
  return {
    address: readPrefixedHexadecimal(
      memberOf(object, 'address', path, 'an address'),
      20,
      `${path}.address`,
    ),
    chainId: readInteger(
      memberOf(object, 'chainId', path, 'an integer'),
      uint256,
      `${path}.chainId`,
    ).value,
    nonce: readInteger(memberOf(object, 'nonce', path, 'an integer'), uint64, `${path}.nonce`)
      .value,
  };
}

/** Returns the 32 bytes to sign: keccak256(0x05 ‖ rlp([chainId, address, nonce])). */
export function hashAuthorization({ address, chainId, nonce }: Authorization): Uint8Array {
  const list = encodeRlp([rlpInteger(chainId), address, rlpInteger(nonce)]);
  return keccak256(concatBytes(magic, list));
}

const members = ['address', 'chainId', 'nonce'];
const magic = Uint8Array.of(0x05);
const uint256 = unsignedRange(256);
const uint64 = unsignedRange(64);
