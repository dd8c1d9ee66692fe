import { fail, failField } from '../../core/errors/errors.ts';
import { claimCall } from '../../core/markets/rewards.ts';
import { answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { namedNonces, prepareCalls, requireAddress } from '../sending/composed_calls.ts';
import { orderSignatures } from '../sending/ethereum_prepared.ts';
import { senderOf } from '../sending/ethereum_sender.ts';
import { signWith } from '../signing/signing_key.ts';
import { namedChain, vaultChain } from './configured_vaults.ts';
import { fetchOpenRewards } from './reward_reads.ts';

export const earn_claim_rewards = activity({
  wire: wireOf('ACTIVITY_TYPE_EARN_CLAIM_REWARDS'),
  summary: 'Sends a claim of the rewards of an address on a chain, which pays to that address.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    signWith: signWith(),
    ...vaultChain(),
    sponsor: optional(boolean()),
    ...namedNonces(),
  }),
  result: object({ claimRequestId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: async (input) => {
    const { parameters, services } = input;
    const { sponsor } = parameters;
    const { caip2, assets, rewards: named } = namedChain(parameters, services.deployment);
    const distributor = named?.distributor ?? fail('rewards_not_configured');
    requireAddress(parameters.signWith);
    const sender = await senderOf({ from: parameters.signWith, caip2 }, input);
    services.rejectEarlyIfImpossible(sender.found.facts, { isWhole: false });
    const user = sender.place.address;
    const rewards = await fetchOpenRewards({ caip2, assets, distributor }, user, services);
    const open = rewards.filter(({ claimable }) => claimable > 0n);
    if (open.length === 0) {
      failField('parameters.signWith', 'expected an address with rewards, and there are none now');
    }
    const first = claimCall(distributor, user, open);
    return await prepareCalls(
      { sender, calls: { first }, sponsor: sponsor === true, nonces: parameters },
      input,
    );
  },
  facts: ({ loaded }) => loaded.facts(),
  explain: ({ loaded }) => loaded.explain(),
  obtain: (input) => orderSignatures(input.loaded, input),
  apply: ({ loaded, ...input }) => ({ claimRequestId: loaded.start(input) }),
});
