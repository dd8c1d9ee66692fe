// Rewards of an address, as published and as paid by the contract.

import { fail } from '../../core/errors/errors.ts';
import type { DeployedChain } from '../../core/external/external_services.ts';
import { claimedOf, maximumRewards, type Reward, readRewards } from '../../core/markets/rewards.ts';
import type { QueryServices } from '../services.ts';

export type RewardingChain = Pick<DeployedChain, 'caip2' | 'assets'> & {
  readonly distributor: string;
};

export type OpenReward = Reward & {
  /** Amount paid so far, according to the contract. */
  readonly claimed: bigint;
  readonly claimable: bigint;
};

/** The chains with rewards. Raises `rewards_not_configured`. */
export function rewardingChains(chains: readonly DeployedChain[]): readonly RewardingChain[] {
  const able = chains.flatMap(({ caip2, assets, rewards }) =>
    rewards === undefined ? [] : [{ caip2, assets, distributor: rewards.distributor }],
  );
  return able.length === 0 ? fail('rewards_not_configured') : able;
}

/**
 * Returns the rewards of an address (lower case) on a chain: claimable rewards, then pending, then claimed
 * ones. Raises `rewards_unavailable`.
 */
export async function fetchOpenRewards(
  { caip2, distributor, assets }: RewardingChain,
  address: string,
  { external }: Pick<QueryServices, 'external'>,
): Promise<readonly OpenReward[]> {
  const published = await external.fetchRewards({ caip2, address });
  const named = new Set(assets.map(({ caip19 }) => caip19));
  const isNamed = (token: string) => named.has(`${caip2}/erc20:${token}`);
  const rewards = readRewards(published, caip2.slice('eip155:'.length), isNamed);
  if (rewards === undefined) return fail('rewards_unavailable', { caip2 });
  if (rewards.length === 0) return [];
  const calls = rewards.map(({ token }) => claimedOf(distributor, address, token));
  const values = await external.fetchContractValues({ caip2, calls });
  const open = rewards.map((reward, i) => {
    const claimed = values[i] ?? fail('rewards_unavailable', { caip2 });
    const left = reward.amount - claimed;
    return { ...reward, claimed, claimable: left > 0n ? left : 0n };
  });
  // The sort is stable, so named tokens stay before others.
  return open.toSorted((one, other) => stateOf(one) - stateOf(other)).slice(0, maximumRewards);
}

const stateOf = ({ claimable, pending }: OpenReward): number =>
  claimable > 0n ? 0 : pending > 0n ? 1 : 2;
