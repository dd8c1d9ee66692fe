// Chains with Ethereum's virtual machine that people know by name. Others are shown by their number.

import { amountText } from '../../balances/amount_text.ts';

/** The name of a chain, and its coin, which has 18 decimals. */
type KnownChain = { readonly name: string; readonly coin: string };

const chains: ReadonlyMap<bigint, KnownChain> = new Map([
  [1n, { name: 'Ethereum', coin: 'ETH' }],
  [10n, { name: 'OP Mainnet', coin: 'ETH' }],
  [56n, { name: 'BNB Smart Chain', coin: 'BNB' }],
  [97n, { name: 'BNB Smart Chain Testnet', coin: 'BNB' }],
  [137n, { name: 'Polygon', coin: 'POL' }],
  [8453n, { name: 'Base', coin: 'ETH' }],
  [42161n, { name: 'Arbitrum One', coin: 'ETH' }],
  [80002n, { name: 'Polygon Amoy', coin: 'POL' }],
  [84532n, { name: 'Base Sepolia', coin: 'ETH' }],
  [421614n, { name: 'Arbitrum Sepolia', coin: 'ETH' }],
  [11155111n, { name: 'Sepolia', coin: 'ETH' }],
  [11155420n, { name: 'OP Sepolia', coin: 'ETH' }],
]);

/** Returns the coin of a known chain. */
export const coinOfChain = (chainId: bigint | undefined): string | undefined =>
  chains.get(chainId ?? 0n)?.coin;

/** An amount of a chain's coin, in its smallest unit, as text. */
export function coinText(amount: bigint, chainId: bigint | undefined): string {
  const coin = coinOfChain(chainId);
  if (coin !== undefined) return `${amountText(String(amount), 18)} ${coin}`;
  return `${amount} of the smallest unit of the chain's coin`;
}

/** The name of a chain's coin as an asset. */
export function coinAsset(chainId: bigint | undefined): string {
  const unknown = chainId === undefined ? 'coin of any chain' : `coin of eip155:${chainId}`;
  return coinOfChain(chainId) ?? unknown;
}

/** `on Sepolia`, `on chain 999`, `on any chain`. */
export function onChain(chainId: bigint | undefined): string {
  if (chainId === undefined) return 'on any chain';
  return `on ${chains.get(chainId)?.name ?? `chain ${chainId}`}`;
}

/** Names of non-Ethereum chains, by CAIP-2 namespace. */
const namespaces: ReadonlyMap<string, string> = new Map([
  ['solana', 'Solana'],
  ['bip122', 'Bitcoin'],
  ['tron', 'Tron'],
]);

/**
 * Returns the name of a chain by its CAIP-2 name or namespace. Returns undefined for a bare Ethereum
 * namespace.
 */
export function chainText(chain: string | undefined): string | undefined {
  if (chain === undefined || chain === 'eip155') return undefined;
  const [namespace = '', reference = ''] = chain.split(':');
  if (namespace !== 'eip155') return namespaces.get(namespace) ?? chain;
  const isNumber = /^[0-9]{1,78}$/.test(reference);
  return (isNumber ? chains.get(BigInt(reference))?.name : undefined) ?? `chain ${reference}`;
}
