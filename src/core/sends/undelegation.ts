// A transaction that removes the code that acts for its sender: type 4 to the sender itself, with an
// authorization of no code (EIP-7702).

import { hex } from '../base/bytes.ts';
import type { ChainSignature } from '../chains/chain.ts';
import { ethereumFormat } from '../chains/ethereum/index.ts';
import type { EthereumTransaction, SignedAuthorization } from '../chains/ethereum/transaction.ts';
import { writeEthereum } from '../chains/ethereum/write.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';
import { hashAuthorization } from '../payload/eip7702.ts';
import type { Price } from './ethereum_send.ts';

/** Gas of an authorization, in addition to a transfer (EIP-7702). */
export const authorizationGas = 25_000n;
/** The address that stands for no code. */
export const noCode = new Uint8Array(20);

/**
 * Returns the transaction without its two signatures, the authorization's included. The authorization has the
 * nonce after the transaction's, since nodes increment the nonce first.
 */
export function undelegation(of: {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly price: Price;
  /** 20 bytes. */
  readonly sender: Uint8Array;
}): Uint8Array {
  const { chainId, nonce, price, sender } = of;
  const unsigned = { yParity: 0n, r: 0n, s: 0n };
  return writeEthereum({
    type: 'TYPE_4',
    chainId,
    nonce,
    ...price,
    to: sender,
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [{ chainId, address: noCode, nonce: nonce + 1n, ...unsigned }],
  });
}

/**
 * The signatures of the transaction, in their order: the second signs the bytes that contain the first.
 * Yields digests of 32 bytes. Returns the signed transaction in lower-case hex without `0x`.
 */
export function* signUndelegation(
  transaction: EthereumTransaction,
): Generator<Uint8Array, string, ChainSignature> {
  const [authorization, ...others] = transaction.authorizationList;
  assert(authorization !== undefined && others.length === 0, 'there is one authorization');
  const signed = withSignature(authorization, yield hashAuthorization(authorization));
  const whole = { ...transaction, authorizationList: [signed] };
  const bytes = writeEthereum(whole);
  return hex(ethereumFormat.attach({ ...whole, bytes }, [yield keccak256(bytes)]));
}

/** Returns an authorization with its signature. */
export function withSignature(
  authorization: SignedAuthorization,
  signature: ChainSignature | undefined,
): SignedAuthorization {
  assert(signature !== undefined, 'each authorization is signed');
  const { r, s, v } = signature;
  return { ...authorization, yParity: BigInt(v), r: numberOf(r), s: numberOf(s) };
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${hex(bytes)}`);
