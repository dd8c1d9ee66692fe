import assert from 'node:assert/strict';
import { hex } from '../../../src/core/base/bytes.ts';
import { callDataOf } from '../../../src/core/markets/contract_call.ts';
import type { Sender, TestService } from '../../support/harness.ts';
import { testSwaps, testToken, testVault } from '../../support/outside.ts';

export const quoteType = 'ACTIVITY_TYPE_CREATE_SWAP_QUOTE_V2';
export const swapConfigType = 'ACTIVITY_TYPE_UPSERT_SWAP_CONFIG';
export const swapType = 'ACTIVITY_TYPE_EXECUTE_SWAP_V3';
export const coin = 'eip155:1/slip44:60';
export const token = testVault.caip19;

/** Returns the quote request of 1,000 units of the test token for coins. */
export const describedQuote = (signWith: string, changes: object = {}) => ({
  signWith,
  inputToken: token,
  outputToken: coin,
  inputAmount: '1000',
  ...changes,
});

/** Sets the output of a pool of the test chain for 1,000 units. */
export function poolGives(service: TestService, fee: number, output: bigint): void {
  const signature = 'quoteExactInputSingle((address,address,uint256,uint24,uint160))';
  const { quoter, wrappedCoin } = testSwaps;
  for (const [input, paid] of [
    [testToken, wrappedCoin],
    [wrappedCoin, testToken],
  ] as const) {
    const data = callDataOf(signature, [BigInt(input), BigInt(paid), 1_000n, BigInt(fee), 0n]);
    service.outside.contractValues.set(`${quoter}/0x${hex(data)}`, output);
  }
}

type Quote = {
  readonly quoteId: string;
  readonly outputAmount: string;
  readonly minOutputAmount: string;
  readonly clientFeeBps?: string;
};

/** Creates a quote as the root user. */
export async function makeQuote(
  service: TestService,
  signWith: string,
  as: Sender = {},
  changes: object = {},
): Promise<Quote> {
  const parameters = describedQuote(signWith, changes);
  const { status, body } = await service.submit('create_swap_quote', quoteType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createSwapQuoteResult.quotes[0];
}

/** Returns the parameters that execute a quote of `describedQuote`. */
export const describedSwap = (
  { quoteId, outputAmount, minOutputAmount }: Quote,
  changes: object = {},
) => ({
  quoteId,
  inputToken: token,
  inputAmount: '1000',
  outputToken: coin,
  quotedOutputAmount: outputAmount,
  minOutputAmount,
  sponsor: false,
  ...changes,
});

/** Returns a swap without a quote, in the older type. */
export const unquotedSwap = (walletAccount: string, changes: object = {}) => ({
  inputToken: token,
  outputToken: coin,
  inputAmount: '1000',
  walletAccount,
  minOutputAmount: '1',
  ...changes,
});

/** Executes a swap without a quote as the root user; returns its ID. */
export async function startSwap(
  service: TestService,
  walletAccount: string,
  as: Sender = {},
): Promise<string> {
  const parameters = unquotedSwap(walletAccount);
  const type = 'ACTIVITY_TYPE_EXECUTE_SWAP';
  const { status, body } = await service.submit('execute_swap', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.executeSwapResult.swapRequestId;
}
