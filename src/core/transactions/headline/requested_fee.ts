// The maximum fee of a request to send, for approvers. The service sets fees that the request omits.

import { fillLimits } from '../../chains/ethereum/fill_limits.ts';
import type { Fee } from '../../organization/records/transaction_explanation.ts';
import { coinAsset, coinText } from '../ethereum/known_chains.ts';
import type { Intent } from './request_types.ts';

const maximumChainDigits = 16;

/** Returns the chain ID in a CAIP-2 name of Ethereum. */
export function chainIdIn(caip2: string | undefined): bigint | undefined {
  const [, reference = ''] = /^eip155:([0-9]+)$/.exec(caip2 ?? '') ?? [];
  return reference === '' || reference.length > maximumChainDigits ? undefined : BigInt(reference);
}

/** Parses an amount of a request: decimal, or hex with `0x`. */
export function amountIn(value: unknown): bigint | undefined {
  const text = typeof value === 'string' ? value : '';
  return /^(?:[0-9]{1,78}|0x[0-9a-f]{1,64})$/i.test(text) ? BigInt(text) : undefined;
}

/** Returns the fee of a sponsored transaction for its sender. */
export const sponsoredFee = (asset: string): Fee => ({
  maximum: '0',
  asset,
  text: 'A sponsor pays the fees, so the account pays no fee.',
});

/**
 * Returns the fee of a request on an Ethereum chain with up to `transactions` transactions: the named fee, or
 * the maximum that the service may set.
 */
export function requestedFee(intent: Intent, caip2: string, transactions = 1): Fee | undefined {
  const chainId = chainIdIn(caip2);
  if (chainId === undefined) return undefined;
  const asset = coinAsset(chainId);
  if (intent['sponsor'] === true) return sponsoredFee(asset);
  const [gas, price] = [amountIn(intent['gasLimit']), amountIn(intent['maxFeePerGas'])];
  if (gas !== undefined && price !== undefined) {
    const named = gas * price;
    const text = `Fees for gas are at most ${coinText(named, chainId)}.`;
    return { maximum: String(named), asset, text };
  }
  const most = fillLimits.total * BigInt(transactions);
  const several = transactions === 1 ? '' : `, for ${transactions} transactions together`;
  const text = `The service sets the fees when it sends: at most ${coinText(most, chainId)}${several}.`;
  return { maximum: String(most), asset, text };
}
