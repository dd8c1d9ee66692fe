import { concatBytes } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';
import type { ChainSignature } from '../chain.ts';
import type { TronTransaction } from './transaction.ts';
import { delimitedField } from './wire.ts';

/** Returns the transaction ID: the SHA-256 of `raw_data`. */
export function signedByTron({ bytes }: TronTransaction): readonly Uint8Array[] {
  return [sha256(bytes)];
}

/**
 * Returns `protocol.Transaction`: `raw_data` as received, and a signature of 65 bytes, r ‖ s ‖ v with v 27 or
 * 28.
 */
export function attachToTron(
  { bytes }: TronTransaction,
  signatures: readonly ChainSignature[],
): Uint8Array {
  const [signature, ...more] = signatures;
  assert(signature !== undefined && more.length === 0, 'a transaction has one signature');
  const { r, s, v } = signature;
  return concatBytes(
    delimitedField(1, bytes),
    delimitedField(2, concatBytes(r, s, Uint8Array.of(27 + v))),
  );
}
