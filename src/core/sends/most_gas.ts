// The maximum gas of a transaction on chains with a known bound (EIP-7825).

import { failField } from '../errors/errors.ts';

const most = 2n ** 24n;
/** Ethereum and its public test chains Holesky, Hoodi and Sepolia, since the Fusaka upgrade in 2025. */
const chainIds: ReadonlySet<bigint> = new Set([1n, 17_000n, 560_048n, 11_155_111n]);

/** Returns the maximum gas of a transaction on a chain; undefined without a known bound. */
export function mostGas(chainId: bigint): bigint | undefined {
  return chainIds.has(chainId) ? most : undefined;
}

/** Raises `field_invalid` for more gas: the transaction would occupy its nonce and never land. */
export function requireNoMoreGas(gas: bigint, chainId: bigint, field: string): void {
  const bound = mostGas(chainId);
  if (bound === undefined || gas <= bound) return;
  failField(
    field,
    `expected ${bound} gas or less, the most of a transaction on this chain (EIP-7825), got ${gas}`,
  );
}
