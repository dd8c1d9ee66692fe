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
});
