// The public keys of operators and of applications: two P-256 points, the first for encryption, the second
// for signatures.

import { bytesOfHex } from '../base/bytes.ts';
import { curves } from '../crypto/curves.ts';
import { assert, failField } from '../errors/errors.ts';

const pointBytes = 65;

/** Parses two uncompressed points, 130 bytes in hex, to lower-case hex. Raises `field_invalid`. */
export function parseKeyPair(text: string, field: string): string {
  const bytes = bytesOfHex(text);
  const isPair =
    bytes?.length === 2 * pointBytes &&
    isPoint(bytes.subarray(0, pointBytes)) &&
    isPoint(bytes.subarray(pointBytes));
  if (!isPair) {
    failField(
      field,
      'expected 130 bytes in hex: two uncompressed points of P-256, one after another',
    );
  }
  return text.toLowerCase();
}

/** Returns the two points of a key, 130 hex digits each. */
export function pointsOf(publicKey: string): { readonly encrypt: string; readonly sign: string } {
  assert(publicKey.length === 4 * pointBytes, 'a stored key has two points');
  return {
    encrypt: publicKey.slice(0, 2 * pointBytes),
    sign: publicKey.slice(2 * pointBytes),
  };
}

/** Returns the compressed point that verifies signatures, 33 bytes. */
export function verifyingKeyOf(publicKey: string): Uint8Array {
  const bytes = bytesOfHex(pointsOf(publicKey).sign);
  const key = bytes && curves.CURVE_P256.parsePublicKey(bytes);
  assert(key !== undefined, 'a stored key is a key');
  return key;
}

const isPoint = (bytes: Uint8Array): boolean =>
  curves.CURVE_P256.parsePublicKey(bytes) !== undefined;
