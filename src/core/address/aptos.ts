import { concatBytes, hex } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { curves } from '../crypto/curves.ts';
import { sha3_256 } from '../crypto/hashes.ts';

/**
 * `0x` and the 64 lower-case hex digits of the authentication key (AIP-40: never shortened). Ed25519 keys
 * take the legacy single-signature scheme, secp256k1 keys the single-key scheme of AIP-55.
 */
export function aptos(publicKey: Uint8Array, curve: CurveName): string {
  const preimage =
    curve === 'CURVE_ED25519'
      ? concatBytes(publicKey, Uint8Array.of(schemes.ed25519))
      : concatBytes(
          Uint8Array.of(secp256k1Variant, uncompressedPointBytes),
          curves[curve].uncompressed(publicKey),
          Uint8Array.of(schemes.singleKey),
        );
  return `0x${hex(sha3_256(preimage))}`;
}

const schemes = { ed25519: 0x00, singleKey: 0x02 };
const secp256k1Variant = 0x01;
const uncompressedPointBytes = 65;
