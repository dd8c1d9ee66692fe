// The reader of each chain. A reader knows only its own format: no other chain, no policy and no store.

import type { AddressFormatName } from '../address/index.ts';

/** The signing account, with the members that formats need. */
export type SigningAccount = {
  /** Normalized: EIP-55, base58 or bech32. */
  readonly address: string;
  readonly format: AddressFormatName;
  /** 33 bytes (compressed point) of secp256k1, 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
  /** Addresses of the other accounts that sign the same transaction for a request (Solana). */
  readonly others?: readonly string[];
};

/** Returns all accounts that sign for a request. Only the addresses of further accounts are known. */
export const signersOf = (account: SigningAccount): readonly SigningAccount[] => [
  account,
  ...(account.others ?? []).map((address) => ({ ...account, address })),
];

/** r and s: 32 bytes each, halves of the 64 bytes for Ed25519 and Schnorr; v: recovery bit of ECDSA. */
export type ChainSignature = {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly v: 0 | 1;
};

/** Reads and signs transactions of one format; `Transaction` is a plain, immutable value. */
export type ChainFormat<Transaction> = {
  readonly maximumBytes: number;
  /** Formats of accounts that sign such transactions. */
  readonly accountFormats: readonly AddressFormatName[];
  /**
   * Reads an unsigned transaction that this account is to sign. Accepts only the canonical encoding: writing
   * the returned value reproduces the bytes. Raises `UnreadableTransaction`.
   */
  readonly read: (bytes: Uint8Array, account: SigningAccount) => Transaction;
  /**
   * Returns the bytes that the account signs, at least one item: 32-byte digests for ECDSA and Schnorr,
   * messages for Ed25519.
   */
  readonly signedBytes: (transaction: Transaction) => readonly Uint8Array[];
  /** The transaction with a signature for each item of `signedBytes`, in that order. */
  readonly attach: (transaction: Transaction, signatures: readonly ChainSignature[]) => Uint8Array;
};
