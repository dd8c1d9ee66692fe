import { signedIn } from '../../simulation/effect_parts.ts';
import { tokenOf } from '../../simulation/identities.ts';
import { accountIn, newSessionKey } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'OAUTH',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [
    {
      parameters: ({ oidcToken, sessionPublicKey: targetPublicKey }) => ({
        oidcToken,
        targetPublicKey,
      }),
    },
  ],
  generate: {
    weight: 2,
    parameters: (world) => {
      const targetPublicKey = newSessionKey(world);
      return { oidcToken: tokenOf(accountIn(world), targetPublicKey), targetPublicKey };
    },
  },
  effect: signedIn,
});
