import { hex } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { curves } from '../crypto/curves.ts';

/** Lower-case hex of the compressed point, or of the 32-byte Ed25519 key. */
export function compressed(publicKey: Uint8Array): string {
  return hex(publicKey);
}

/** Lower-case hex of the 65-byte point. An Ed25519 key has one form only, its 32 bytes. */
export function uncompressed(publicKey: Uint8Array, curve: CurveName): string {
  return hex(curves[curve].uncompressed(publicKey));
}
