import { bytesOfHex } from '../base/bytes.ts';
import { uncompressedPoint } from '../crypto/p256.ts';
import { failField } from '../errors/errors.ts';

/** Maximum number of hex digits of a target key. */
export const maximumTargetKeyCharacters = 130;

/**
 * Parses the public key to which a caller wants a secret sealed: a point of P-256 in hex of any case, 130
 * digits uncompressed or 66 compressed. Returns its 65 bytes. Raises `field_invalid`.
 */
export function parseTargetKey(text: string, field: string): Uint8Array {
  const bytes = text.length <= maximumTargetKeyCharacters ? bytesOfHex(text) : undefined;
  const point = bytes && uncompressedPoint(bytes);
  if (point === undefined) {
    failField(field, 'expected a P-256 public key in hex: 130 digits, or 66 in compressed form');
  }
  return point;
}
