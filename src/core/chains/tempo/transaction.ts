// A Tempo transaction (type 76): several calls in one transaction, fees in a token, and optionally another
// fee payer. https://docs.tempo.xyz/protocol/transactions/spec-tempo-transaction

/** An unsigned transaction of Tempo. Integers are unsigned; addresses have 20 bytes. */
export type TempoTransaction = {
  /** The unsigned transaction as it came. */
  readonly bytes: Uint8Array;
  readonly chainId: bigint;
  /** Prices of gas are in 10^-18 dollars. */
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly gas: bigint;
  /** At least one. */
  readonly calls: readonly TempoCall[];
  /** The lane of the nonce. */
  readonly nonceKey: bigint;
  readonly nonce: bigint;
  /** Seconds since 1970; 0 where it is not limited. */
  readonly validBefore: bigint;
  readonly validAfter: bigint;
  /** Empty where the transaction names none. */
  readonly feeToken: Uint8Array;
  /** Undefined: the signer pays. `unsigned`: another account will sign as payer. */
  readonly feePayer: undefined | 'unsigned' | FeePayerSignature;
};

export type TempoCall = {
  /** Empty for the creation of a contract. */
  readonly to: Uint8Array;
  readonly input: Uint8Array;
};

/** A signature of who pays the fee. */
export type FeePayerSignature = {
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
};

export const tempoTypeByte = 0x76;

export const tempoLimits = {
  /** Nodes take no longer transaction. */
  bytes: 128 * 1024,
  /** Nodes take no more in one transaction (`MAX_AA_CALLS`). */
  calls: 32,
} as const;
