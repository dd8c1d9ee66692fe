import { idOf, rowsOf, unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_OAUTH_PROVIDERS',
  subject: 'CREDENTIAL DELETE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId, oauthProviderId }) => ({ userId, providerIds: [oauthProviderId] }),
    },
  ],
  generate: {
    weight: 1.5,
    parameters: (world) => {
      const [provider] = world.choice.some(rowsOf(world, 'oauth_provider'), 1);
      return provider === undefined
        ? { userId: idOf(world, 'user'), providerIds: [unknownId] }
        : { userId: provider.userId, providerIds: [provider.id] };
    },
  },
  effect: ({ intent }) => ({ deleted: { oauth_provider: intent.providerIds } }),
});
