// A Tempo transaction (type 76): several calls in one transaction, fees in a token, and optionally another
// fee payer. https://docs.tempo.xyz/protocol/transactions/spec-tempo-transaction

/** An unsigned transaction of Tempo. Integers are unsigned; addresses have 20 bytes. */
export type TempoTransaction = {
  /** The unsigned transaction as received. */
  readonly bytes: Uint8Array;
  readonly chainId: bigint;
  /** Gas prices are in 10^-18 dollars. */
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly gas: bigint;
  /** At least one call. */
  readonly calls: readonly TempoCall[];
  /** Each key has its own sequence of nonces. */
  readonly nonceKey: bigint;
  readonly nonce: bigint;
  /** Seconds since 1970; 0 means no limit. */
  readonly validBefore: bigint;
  readonly validAfter: bigint;
  /** Empty if the transaction names no token. */
  readonly feeToken: Uint8Array;
  /** Undefined if the signer pays; `unsigned` if another account will sign as payer. */
  readonly feePayer: undefined | 'unsigned' | FeePayerSignature;
};

export type TempoCall = {
  /** Empty for the creation of a contract. */
  readonly to: Uint8Array;
  readonly input: Uint8Array;
};

/** The fee payer's signature. */
export type FeePayerSignature = {
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
};

export const tempoTypeByte = 0x76;

export const tempoLimits = {
  /** Nodes accept no longer transaction. */
  bytes: 128 * 1024,
  /** Nodes accept no more calls in a transaction (`MAX_AA_CALLS`). */
  calls: 32,
} as const;
