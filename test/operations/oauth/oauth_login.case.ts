import { signedIn } from '../../simulation/effect_parts.ts';
import { tokenOf } from '../../simulation/identities.ts';
import { accountIn, newSessionKey, sessionProfileId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'OAUTH_LOGIN',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [
    {
      parameters: ({ oidcToken, sessionPublicKey: publicKey }) => ({ oidcToken, publicKey }),
    },
  ],
  generate: {
    weight: 2,
    parameters: (world) => {
      const publicKey = newSessionKey(world);
      const elsewhere = world.choice.chance(0.05) ? newSessionKey(world) : publicKey;
      return {
        oidcToken: tokenOf(accountIn(world), elsewhere),
        publicKey,
        ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
        ...sessionProfileId(world),
      };
    },
  },
  effect: signedIn,
});
