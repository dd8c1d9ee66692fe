import { concatBytes, hex } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { blake2b256 } from '../crypto/hashes.ts';

/** `0x` and the BLAKE2b-256 of the signature scheme's flag and the key, 64 lower-case hex digits. */
export function sui(publicKey: Uint8Array, curve: CurveName): string {
  const flagged = concatBytes(Uint8Array.of(schemeFlags[curve]), publicKey);
  return `0x${hex(blake2b256(flagged))}`;
}

const schemeFlags: Readonly<Record<CurveName, number>> = {
  CURVE_ED25519: 0x00,
  CURVE_SECP256K1: 0x01,
  CURVE_P256: 0x02,
};
