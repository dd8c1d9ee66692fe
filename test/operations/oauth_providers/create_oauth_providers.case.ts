import { activityCase } from '../case.ts';
import { label, newAccount } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_OAUTH_PROVIDERS_V2 CREATE_OAUTH_PROVIDERS',
  subject: 'CREDENTIAL CREATE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId }) => ({
        userId,
        oauthProviders: [{ providerName: label, oidcToken: newAccount }],
      }),
    },
  ],
});
