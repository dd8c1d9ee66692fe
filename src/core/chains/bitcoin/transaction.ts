// A PSBT as a value: version 0 of BIP-174, with the fields of BIP-371.

import type { BitcoinNetworkName, BitcoinScriptName } from '../../address/bitcoin_scripts.ts';

export const bitcoinLimits = {
  /** A PSBT with the whole transactions that it spends from. */
  bytes: 1024 * 1024,
  /**
   * The unsigned transaction of at most half the size that nodes relay: before segwit it is hashed once for
   * each input.
   */
  unsignedBytes: 50_000,
  /** Entries of one map: each has signatures and derivations of a few keys. */
  entries: 200,
  inputs: 500,
  outputs: 500,
  /** Inputs that one request signs: each takes a signature and a hash of the transaction. */
  signatures: 100,
  /** Hashed bytes of the unsigned transaction before segwit, once for each signature. */
  legacyHashedBytes: 2_500_000,
  /** Satoshis that will ever exist. */
  satoshis: 2_100_000_000_000_000n,
} as const;

export type BitcoinInput = {
  /** 32 bytes in the hashed order; people write them in reverse. */
  readonly transactionId: Uint8Array;
  readonly index: number;
  readonly sequence: number;
};

export type BitcoinOutput = {
  /** In satoshis. */
  readonly value: bigint;
  readonly script: Uint8Array;
};

/** A transaction without witnesses. */
export type PlainTransaction = {
  /** Signed 32 bits, as nodes read it. */
  readonly version: number;
  readonly inputs: readonly BitcoinInput[];
  readonly outputs: readonly BitcoinOutput[];
  readonly locktime: number;
};

/** One entry of a map: the key is its type and the data after it. */
export type PsbtEntry = {
  readonly type: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
};

export type SpentOutput = BitcoinOutput & {
  /** True if the PSBT has the whole transaction whose hash the input names. */
  readonly isProven: boolean;
};

export type PsbtInput = {
  readonly entries: readonly PsbtEntry[];
  /** Absent if the PSBT does not state it. */
  readonly spent?: SpentOutput;
  /** True if the script of the spent output is the one of the account that signs. */
  readonly isOurs: boolean;
};

export type BitcoinTransaction = {
  readonly network: BitcoinNetworkName;
  /** Script type of the account's outputs. */
  readonly scriptName: BitcoinScriptName;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly accountScript: Uint8Array;
  readonly unsigned: PlainTransaction;
  readonly globalEntries: readonly PsbtEntry[];
  /** One for each input of the transaction. */
  readonly inputs: readonly PsbtInput[];
  /** Entries for each output of the transaction. */
  readonly outputs: readonly (readonly PsbtEntry[])[];
};
