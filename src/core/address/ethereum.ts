import { hex, utf8 } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { createRecentCache } from '../base/lru_cache.ts';
import { curves } from '../crypto/curves.ts';
import { keccak256 } from '../crypto/hashes.ts';

/** `0x` and 40 hex digits with the letter case of EIP-55. */
export function ethereum(publicKey: Uint8Array, curve: CurveName): string {
  return eip55(hex(ethereumAccount(publicKey, curve)));
}

/** Returns the 20 bytes of an Ethereum address: the end of the Keccak-256 of the point without its `04`. */
export function ethereumAccount(publicKey: Uint8Array, curve: CurveName): Uint8Array {
  return keccak256(curves[curve].uncompressed(publicKey).subarray(1)).subarray(-20);
}

/** Each signature names an address, so recent addresses are cached. */
const maximumRememberedAddresses = 10_000;
const checksummed = createRecentCache<string>(maximumRememberedAddresses);

/** EIP-55: adds `0x`, and upper case for each letter whose digit in the hash of the text is 8 or more. */
export function eip55(lowerCaseDigits: string): string {
  const known = checksummed.get(lowerCaseDigits);
  if (known !== undefined) return known;
  const hash = hex(keccak256(utf8(lowerCaseDigits)));
  const digits = lowerCaseDigits.replace(/[a-f]/g, (letter, position: number) =>
    hash.charAt(position) >= '8' ? letter.toUpperCase() : letter,
  );
  checksummed.set(lowerCaseDigits, `0x${digits}`);
  return `0x${digits}`;
}
