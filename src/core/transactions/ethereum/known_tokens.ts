// Common tokens by chain and contract, whose amounts are shown with symbol and decimals. Other tokens are
// shown by their address, and their amounts in the smallest unit.

import { amountText } from '../../balances/amount_text.ts';

/** A token whose contract follows ERC-20. */
type KnownToken = { readonly symbol: string; readonly decimals: number };

type Row = readonly [chainId: bigint, contract: string, symbol: string, decimals: number];

/** Contracts in EIP-55, as published by their issuers. */
const rows: readonly Row[] = [
  [1n, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 6],
  [1n, '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 6],
  [1n, '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI', 18],
  [1n, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'WETH', 18],
  [1n, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 8],
  [1n, '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', 'EURC', 6],
  [10n, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 'USDC', 6],
  [137n, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USDC', 6],
  [8453n, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC', 6],
  [42161n, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 6],
  [84532n, '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC', 6],
  [11155111n, '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', 'USDC', 6],
];

const nameOf = (chainId: bigint | undefined, contract: string) =>
  `${chainId}/${contract.toLowerCase()}`;

const tokens: ReadonlyMap<string, KnownToken> = new Map(
  rows.map(([chainId, contract, symbol, decimals]) => [
    nameOf(chainId, contract),
    { symbol, decimals },
  ]),
);

/** The contracts of the table, for its test. */
export const knownTokenContracts: readonly string[] = rows.map(([, contract]) => contract);

/** Returns the token of a contract; undefined for an unknown contract. */
export const knownToken = (chainId: bigint | undefined, contract: string): KnownToken | undefined =>
  tokens.get(nameOf(chainId, contract));

/** A contract of a chain, which may be a token. */
export type TokenPlace = { readonly chainId: bigint | undefined; readonly contract: string };

/** Returns true for an amount of a known token that exceeds its supply: 10^12 coins or more. */
export function isBeyondSupply(amount: bigint, { chainId, contract }: TokenPlace): boolean {
  const token = knownToken(chainId, contract);
  return token !== undefined && amount >= 10n ** BigInt(token.decimals + 12);
}

/** `25 USDC`, or the amount in the smallest unit of an unknown token. */
export function tokenAmountText(amount: bigint, { chainId, contract }: TokenPlace): string {
  const token = knownToken(chainId, contract);
  if (token === undefined) return `${amount} of the smallest unit of the token ${contract}`;
  return `${amountText(String(amount), token.decimals)} ${token.symbol}`;
}

/** Returns `USDC`, or the address of an unknown token. */
export const tokenName = (chainId: bigint | undefined, contract: string): string =>
  knownToken(chainId, contract)?.symbol ?? `the token ${contract}`;
