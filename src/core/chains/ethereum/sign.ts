// The signed bytes of an Ethereum transaction, and the transaction with its signature.

import { hex } from '../../base/bytes.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';
import type { ChainSignature } from '../chain.ts';
import type { EthereumTransaction } from './transaction.ts';
import { writeSignedEthereum } from './write.ts';

/** Returns the Keccak-256 of the received bytes. */
export function ethereumSignedBytes({ bytes }: EthereumTransaction): readonly Uint8Array[] {
  return [keccak256(bytes)];
}

/**
 * Returns the transaction in the form of `eth_sendRawTransaction`, type 3 without its blobs. The written
 * bytes equal the received ones, because the reader accepts only the canonical encoding.
 */
export function attachToEthereum(
  transaction: EthereumTransaction,
  signatures: readonly ChainSignature[],
): Uint8Array {
  const [signature, ...more] = signatures;
  assert(signature !== undefined && more.length === 0, 'a transaction has one signature');
  const v = vOf(transaction, BigInt(signature.v));
  return writeSignedEthereum(transaction, {
    v,
    r: BigInt(`0x${hex(signature.r)}`),
    s: BigInt(`0x${hex(signature.s)}`),
  });
}

/** Returns the parity for typed transactions; 27 or 28 for legacy ones, plus the chain ID with EIP-155. */
function vOf({ type, chainId }: EthereumTransaction, parity: bigint): bigint {
  if (type !== 'LEGACY') return parity;
  return parity + (chainId === undefined ? 27n : 2n * chainId + 35n);
}
