// The signed bytes of an Ethereum transaction, and where the signature goes.

import { hex } from '../../base/bytes.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';
import type { ChainSignature } from '../chain.ts';
import type { EthereumTransaction } from './transaction.ts';
import { writeSignedEthereum } from './write.ts';

/** The Keccak-256 of the bytes that came. */
export function ethereumSignedBytes({ bytes }: EthereumTransaction): readonly Uint8Array[] {
  return [keccak256(bytes)];
}

/**
 * The transaction as `eth_sendRawTransaction` takes it; type 3 without its blobs. The written bytes equal the
 * received ones, because the reader accepts a single spelling.
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

/** The parity in typed transactions; 27 or 28 in legacy ones, and with EIP-155 the chain too. */
function vOf({ type, chainId }: EthereumTransaction, parity: bigint): bigint {
  if (type !== 'LEGACY') return parity;
  return parity + (chainId === undefined ? 27n : 2n * chainId + 35n);
}
