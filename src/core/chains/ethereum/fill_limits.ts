/** Bounds on values from a node. The sender chooses values in a request freely; policies see both. */
export const fillLimits = {
  /** In wei per unit of gas: 1,000 gwei. */
  maxFeePerGas: 1_000_000_000_000n,
  gas: 30_000_000n,
  /** Gas times fee, in wei: the most that a lying node can make a transaction cost. */
  total: 250_000_000_000_000_000n,
} as const;
