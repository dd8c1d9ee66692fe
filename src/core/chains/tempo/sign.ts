import { concatBytes } from '../../base/bytes.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';
import type { ChainSignature } from '../chain.ts';
import type { TempoTransaction } from './transaction.ts';
import { writeTempo } from './write.ts';

/**
 * Returns the Keccak-256 of the unsigned bytes. It does not cover the fee payer's signature, which the byte
 * 00 replaces.
 */
export function tempoSignedBytes(transaction: TempoTransaction): readonly Uint8Array[] {
  const { feePayer, bytes } = transaction;
  const hasSigned = feePayer !== undefined && feePayer !== 'unsigned';
  return [keccak256(hasSigned ? writeTempo({ ...transaction, feePayer: 'unsigned' }) : bytes)];
}

/** The transaction with a signature of 65 bytes, r ‖ s ‖ v with v 27 or 28, as its last item. */
export function attachToTempo(
  transaction: TempoTransaction,
  signatures: readonly ChainSignature[],
): Uint8Array {
  const [signature, ...more] = signatures;
  assert(signature !== undefined && more.length === 0, 'a transaction has one signature');
  const { r, s, v } = signature;
  return writeTempo(transaction, concatBytes(r, s, Uint8Array.of(27 + v)));
}
