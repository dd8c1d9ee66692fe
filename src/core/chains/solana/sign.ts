// Reads Solana transactions, and signs them with Ed25519 in the signer's slot.

import { assert } from '../../errors/errors.ts';
import type { ChainFormat, ChainSignature } from '../chain.ts';
import { maximumBytes, signatureBytes } from './limits.ts';
import { readTransaction } from './read.ts';
import type { SolanaTransaction } from './transaction.ts';

export const solanaFormat: ChainFormat<SolanaTransaction> = {
  maximumBytes: maximumBytes.V1,
  accountFormats: ['ADDRESS_FORMAT_SOLANA'],
  read: readTransaction,
  signedBytes: ({ message }) => [message],
  attach,
};

/** Fills the signature slot of the account. All other bytes stay unchanged, including other signatures. */
function attach(transaction: SolanaTransaction, signatures: readonly ChainSignature[]): Uint8Array {
  const [signature] = signatures;
  assert(signature !== undefined && signatures.length === 1, 'one message has one signature');
  const { bytes, slot, version } = transaction;
  const signed = Uint8Array.from(bytes);
  const first = version === 'V1' ? transaction.message.length : 1;
  const start = first + slot * signatureBytes;
  signed.set(signature.r, start);
  signed.set(signature.s, start + signature.r.length);
  return signed;
}
