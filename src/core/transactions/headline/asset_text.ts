// Writes amounts of coins and tokens with their symbols.

import { amountText } from '../../balances/amount_text.ts';
import { coinOfChain } from '../ethereum/known_chains.ts';
import { knownToken } from '../ethereum/known_tokens.ts';
import { chainIdIn } from './requested_fee.ts';

/** Decimals of coins by their symbol in explanations. */
const coinDecimals: Readonly<Record<string, number>> = { SOL: 9, BTC: 8, TRX: 6 };

/** Returns `0.5 ETH`, or the amount in the smallest unit of an unknown asset. */
export function assetText(amount: bigint, asset: string, chain: string | undefined): string {
  const token = tokenOf(asset, chain);
  if (token === undefined) return `${grouped(String(amount))} × ${assetName(asset, chain)}`;
  return `${grouped(amountText(String(amount), token.decimals))} ${token.symbol}`;
}

/**
 * Separates thousands by a narrow space (ISO 80000-1), because readers interpret commas and dots differently.
 */
const grouped = (amount: string): string =>
  amount.replace(/^[0-9]+/, (whole) => whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, '\u202f'));

/** Returns the token symbol, such as `USDC`, or the smallest unit of an unknown token. */
export function assetName(asset: string, chain: string | undefined): string {
  return tokenOf(asset, chain)?.symbol ?? `smallest unit of ${asset}`;
}

/** Returns true if the symbol and the decimals of an asset are known. */
export const isKnownAsset = (asset: string, chain: string | undefined): boolean =>
  tokenOf(asset, chain) !== undefined;

function tokenOf(asset: string, chain: string | undefined) {
  const decimals = coinDecimals[asset];
  if (decimals !== undefined && chain?.startsWith('eip155') !== true) {
    return { symbol: asset, decimals };
  }
  const chainId = chainIdIn(chain);
  if (asset === coinOfChain(chainId)) return { symbol: asset, decimals: 18 };
  return knownToken(chainId, asset);
}
