// Chains and networks with well-known names. Other Ethereum chains are shown by their number.

import { amountText } from '../../balances/amount_text.ts';
import { solanaNetworks } from '../../balances/chain_names.ts';

type KnownChain = {
  readonly name: string;
  /** The coin of a chain with Ethereum's virtual machine. It has 18 decimals. */
  readonly coin?: string;
  /** True if the coins of the network are worthless. */
  readonly isTest?: true;
  /** True if the maximum fee includes all fees. Other chains may add fees of their underlying chain. */
  readonly hasBoundedFees?: true;
};

const test = { isTest: true } as const;
const bounded = { hasBoundedFees: true } as const;

/** CAIP-2 names of Bitcoin's test networks, by their names in address formats. */
const bitcoinNetworks = {
  TESTNET: 'bip122:000000000933ea01ad0ee984209779ba',
  SIGNET: 'bip122:00000008819873e925422c1ff0f99f7c',
  REGTEST: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
} as const;

/** Chains by CAIP-2 name. */
const chains: ReadonlyMap<string, KnownChain> = new Map<string, KnownChain>([
  ['eip155:1', { name: 'Ethereum', coin: 'ETH', ...bounded }],
  ['eip155:10', { name: 'OP Mainnet', coin: 'ETH' }],
  ['eip155:56', { name: 'BNB Smart Chain', coin: 'BNB' }],
  ['eip155:97', { name: 'BNB Smart Chain Testnet', coin: 'BNB', ...test }],
  ['eip155:137', { name: 'Polygon', coin: 'POL' }],
  ['eip155:8453', { name: 'Base', coin: 'ETH' }],
  ['eip155:17000', { name: 'Holesky', coin: 'ETH', ...test, ...bounded }],
  ['eip155:42161', { name: 'Arbitrum One', coin: 'ETH' }],
  ['eip155:80002', { name: 'Polygon Amoy', coin: 'POL', ...test }],
  ['eip155:84532', { name: 'Base Sepolia', coin: 'ETH', ...test }],
  ['eip155:421614', { name: 'Arbitrum Sepolia', coin: 'ETH', ...test }],
  ['eip155:560048', { name: 'Hoodi', coin: 'ETH', ...test, ...bounded }],
  ['eip155:11155111', { name: 'Sepolia', coin: 'ETH', ...test, ...bounded }],
  ['eip155:11155420', { name: 'OP Sepolia', coin: 'ETH', ...test }],
  ['solana', { name: 'Solana', ...bounded }],
  [solanaNetworks.devnet, { name: 'Solana Devnet', ...test }],
  ['solana:4uhcVJyU9pJkvQyS88uRDiswHScCKQ3z', { name: 'Solana Testnet', ...test }],
  ['bip122', { name: 'Bitcoin', ...bounded }],
  [bitcoinNetworks.TESTNET, { name: 'Bitcoin Testnet', ...test }],
  [bitcoinNetworks.SIGNET, { name: 'Bitcoin Signet', ...test }],
  [bitcoinNetworks.REGTEST, { name: 'Bitcoin Regtest', ...test }],
  ['tron', { name: 'Tron' }],
  ['tron:0xcd8690dc', { name: 'Tron Nile', ...test }],
  ['tron:0x94a9059e', { name: 'Tron Shasta', ...test }],
]);

/** Returns the test network of Bitcoin whose addresses have this format. */
export function bitcoinTestNetwork(format: string): string | undefined {
  const [, network = ''] = /^ADDRESS_FORMAT_BITCOIN_([A-Z]+)_/.exec(format) ?? [];
  return Object.entries(bitcoinNetworks).find(([name]) => name === network)?.[1];
}

/** Returns true for a known test network, by its CAIP-2 name. */
export const isTestNetwork = (chain: string | undefined): boolean =>
  chains.get(chain ?? '')?.isTest === true;

/** Returns true if the maximum fee of a transaction contains all fees of its chain. */
export const hasBoundedFees = (chain: string): boolean =>
  chains.get(chain)?.hasBoundedFees === true;

const ofNumber = (chainId: bigint | undefined) => chains.get(`eip155:${chainId}`);

/** Returns the coin of a known chain. */
export const coinOfChain = (chainId: bigint | undefined): string | undefined =>
  ofNumber(chainId)?.coin;

/** Formats an amount of a chain's coin, given in its smallest unit. */
export function coinText(amount: bigint, chainId: bigint | undefined): string {
  const coin = coinOfChain(chainId);
  if (coin !== undefined) return `${amountText(String(amount), 18)} ${coin}`;
  return `${amount} of the smallest unit of the chain's coin`;
}

/** Returns the symbol of a chain's coin, or a description of an unknown coin. */
export function coinAsset(chainId: bigint | undefined): string {
  const unknown = chainId === undefined ? 'coin of any chain' : `coin of eip155:${chainId}`;
  return coinOfChain(chainId) ?? unknown;
}

/** Returns `on Sepolia`, `on chain 999` or `on any chain`. */
export function onChain(chainId: bigint | undefined): string {
  if (chainId === undefined) return 'on any chain';
  return `on ${ofNumber(chainId)?.name ?? `chain ${chainId}`}`;
}

/**
 * Returns the name of a chain by its CAIP-2 name or namespace. Returns undefined for a bare Ethereum
 * namespace.
 */
export function chainText(chain: string | undefined): string | undefined {
  if (chain === undefined || chain === 'eip155') return undefined;
  const [namespace = '', reference = ''] = chain.split(':');
  const known = chains.get(chain) ?? chains.get(namespace);
  if (known !== undefined) return known.name;
  return namespace === 'eip155' ? `chain ${reference}` : chain;
}
