// The tokens of a swap and the pools of its chain.

import type { SwapContracts } from '../../core/balances/market_contracts.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import { type Pair, uniswapV3 } from '../../core/markets/swaps.ts';
import type { SwapFee } from '../../core/organization/records/market_settings.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { text } from '../../core/schema/schema.ts';
import type { LoadServices } from '../services.ts';

/** The member that selects a token (CAIP-19). */
export const token = () => text({ minimum: 1, maximum: 128 });
/** A member with an amount in the smallest unit: decimal. */
export const tokenAmount = () => text({ minimum: 1, maximum: 78 });

export type Market = {
  readonly caip2: string;
  readonly contracts: SwapContracts;
  readonly pair: Pair;
};

/** Returns the market of two tokens. Raises `swaps_not_configured`, `field_invalid`. */
export function marketOf(
  { inputToken, outputToken }: { readonly inputToken: string; readonly outputToken: string },
  { chains }: Pick<Deployment, 'chains'>,
): Market {
  const able = chains.filter(({ swaps }) => swaps !== undefined);
  if (able.length === 0) fail('swaps_not_configured');
  // Addresses in CAIP-19 may have mixed case.
  const caip2 = inputToken.slice(0, inputToken.indexOf('/')).toLowerCase();
  const chain = able.find((each) => each.caip2 === caip2);
  const contracts = chain?.swaps;
  if (chain === undefined || contracts === undefined) {
    const names = able.map((each) => `\`${each.caip2}\``).join(', ');
    return failField('parameters.inputToken', `expected an asset of ${names}`);
  }
  const contractOf = (field: string, caip19: string): string | undefined => {
    const asset = chain.assets.find((each) => each.caip19 === caip19.toLowerCase());
    const expected = `expected an asset that the operator named on ${caip2}`;
    if (asset === undefined) return failField(`parameters.${field}`, expected);
    const [, contract] = /\/erc20:(0x[0-9a-f]{40})$/.exec(asset.caip19) ?? [];
    return contract;
  };
  const pair = {
    input: contractOf('inputToken', inputToken),
    output: contractOf('outputToken', outputToken),
  };
  const { wrappedCoin } = contracts;
  if ((pair.input ?? wrappedCoin) === (pair.output ?? wrappedCoin)) {
    failField('parameters.outputToken', 'expected another asset than the input');
  }
  return { caip2, contracts, pair };
}

/** Returns the pool with the best price for an amount. Raises `swap_unavailable`. */
export async function bestPool(
  { caip2, contracts, pair }: Market,
  amount: bigint,
  { external }: Pick<LoadServices, 'external'>,
): Promise<{ readonly fee: bigint; readonly output: bigint }> {
  const fees = contracts.feeTiers.map(BigInt);
  const outputs = await external.fetchContractValues({
    caip2,
    calls: fees.map((fee) => uniswapV3.quote(contracts, { ...pair, amount, fee })),
  });
  const pools = fees.map((fee, i) => ({ fee, output: outputs[i] ?? 0n }));
  const best = pools.reduce((one, other) => (other.output > one.output ? other : one));
  return best.output === 0n ? fail('swap_unavailable', { caip2 }) : best;
}

/** Returns the swap fee of the parent, or without a parent that of the organization; undefined for no fee. */
export async function feeOf(
  organization: OrganizationView,
  { parent }: Pick<LoadServices, 'parent'>,
): Promise<SwapFee | undefined> {
  const { swapFee } = ((await parent()) ?? organization).head;
  return swapFee === undefined || swapFee.bps === 0 ? undefined : swapFee;
}
