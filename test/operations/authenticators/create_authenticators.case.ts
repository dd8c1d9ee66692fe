import { idsWhere, sameIds } from '../../simulation/effect_parts.ts';
import { idOf, newPasskey, upTo } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedPasskey } from './authenticator_requests.ts';

export default activityCase({
  types: 'CREATE_AUTHENTICATORS_V2 CREATE_AUTHENTICATORS',
  subject: 'CREDENTIAL CREATE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId }) => ({
        userId,
        authenticators: [describedPasskey('another passkey')],
      }),
    },
  ],
  generate: {
    weight: 2,
    parameters: (world) => ({
      authenticators: upTo(2, world, () => newPasskey(world)),
      userId: idOf(world, 'user'),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: { authenticator: result.authenticatorIds },
    facts: {
      'the passkeys are the user’s': sameIds(
        idsWhere(after, 'authenticator', ({ id }) => result.authenticatorIds.includes(id)),
        idsWhere(
          after,
          'authenticator',
          ({ id, userId }) => result.authenticatorIds.includes(id) && userId === intent.userId,
        ),
      ),
    },
  }),
});
