import { signingSpellings } from '../../core/address/normalization.ts';
import { amountText } from '../../core/balances/amount_text.ts';
import { chainNameOf } from '../../core/balances/chain_names.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import {
  answerInteger,
  answerList,
  answerText,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import {
  fetchOpenRewards,
  type OpenReward,
  type RewardingChain,
  rewardingChains,
} from './reward_reads.ts';

export const list_earn_rewards = query({
  summary: 'Lists the rewards outside of vaults that an address can claim or claimed.',
  body: object({
    walletAddress: text({ minimum: 1, maximum: 256 }),
    caip2: optional(text({ maximum: 64 })),
  }),
  response: object({
    rewards: answerList(
      object({
        caip2: answerText(),
        caip19: answerText(),
        symbol: answerText(),
        decimals: answerInteger(),
        claimable: answerText(),
        claimed: answerText(),
        pending: answerText(),
        display: object({
          claimableUsd: answerText(),
          claimableCrypto: answerText(),
          claimedUsd: answerText(),
          claimedCrypto: answerText(),
          pendingUsd: answerText(),
          pendingCrypto: answerText(),
        }),
      }),
    ),
  }),

  answer: async ({ body: { walletAddress, caip2 = '' }, services }) => {
    const all = rewardingChains(services.deployment.chains);
    const chains = caip2 === '' ? all : all.filter((each) => each.caip2 === chainNameOf(caip2));
    if (chains.length === 0) fail('rewards_not_configured');
    const address = signingSpellings(walletAddress);
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
      failField('walletAddress', 'expected an Ethereum address, `0x` and 40 hex digits');
    }
    const rewards = await Promise.all(
      chains.map(async (chain) => {
        const found = await fetchOpenRewards(chain, address.toLowerCase(), services);
        return found.filter(isAny).map((reward) => shownReward(chain, reward));
      }),
    );
    return { rewards: rewards.flat() };
  },
});

const isAny = ({ claimable, claimed, pending }: OpenReward) => claimable + claimed + pending > 0n;

function shownReward({ caip2, assets }: RewardingChain, reward: OpenReward) {
  const { claimable, claimed, pending } = reward;
  const caip19 = `${caip2}/erc20:${reward.token}`;
  // The names of configured tokens are trusted; those of the reward source are not.
  const { symbol, decimals } = assets.find((asset) => asset.caip19 === caip19) ?? reward;
  const inUnits = (amount: bigint) => amountText(String(amount), decimals);
  return {
    caip2,
    caip19,
    symbol,
    decimals,
    claimable: String(claimable),
    claimed: String(claimed),
    pending: String(pending),
    display: {
      claimableUsd: '',
      claimableCrypto: inUnits(claimable),
      claimedUsd: '',
      claimedCrypto: inUnits(claimed),
      pendingUsd: '',
      pendingCrypto: inUnits(pending),
    },
  };
}
