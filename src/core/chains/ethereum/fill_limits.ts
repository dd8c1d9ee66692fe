/**
 * Bounds on values that a node fills in. Values of the request are the sender's choice, and policies see
 * both.
 */
export const fillLimits = {
  /** In wei per unit of gas: 1,000 gwei. */
  maxFeePerGas: 1_000_000_000_000n,
  gas: 30_000_000n,
  /** Gas times fee, in wei: the most that a lying node can burn. */
  total: 250_000_000_000_000_000n,
} as const;
