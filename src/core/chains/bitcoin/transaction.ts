// A PSBT as a value: version 0 of BIP-174, with the fields of BIP-371.

import type { BitcoinNetworkName, BitcoinScriptName } from '../../address/bitcoin_scripts.ts';

export const bitcoinLimits = {
  /** A PSBT with the complete transactions whose outputs it spends. */
  bytes: 1024 * 1024,
  /** Half of the size that nodes relay, because legacy inputs hash the unsigned transaction once each. */
  unsignedBytes: 50_000,
  /** Maximum number of entries in one map. Each map has signatures and derivations of a few keys. */
  entries: 200,
  inputs: 500,
  outputs: 500,
  /** Maximum number of inputs that one request signs. */
  signatures: 100,
  /**
   * Maximum number of hashed bytes of legacy inputs: the length of the unsigned transaction times the
   * signatures.
   */
  legacyHashedBytes: 2_500_000,
  /** Maximum supply in satoshis. */
  satoshis: 2_100_000_000_000_000n,
} as const;

export type BitcoinInput = {
  /** 32 bytes in hash order; user interfaces show them reversed. */
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
  /** True if the PSBT contains the complete transaction whose hash the input names. */
  readonly isProven: boolean;
};

export type PsbtInput = {
  readonly entries: readonly PsbtEntry[];
  /** Undefined if the PSBT does not contain it. */
  readonly spent?: SpentOutput;
  /** True if the spent output has the account's script. */
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
  /** Entries for each input of the transaction. */
  readonly inputs: readonly PsbtInput[];
  /** Entries for each output of the transaction. */
  readonly outputs: readonly (readonly PsbtEntry[])[];
};
