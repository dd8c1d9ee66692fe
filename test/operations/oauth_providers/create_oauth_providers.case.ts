import { rowsIn } from '../../simulation/effect_parts.ts';
import { generatedAccount, idOf, upTo } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label, newAccount } from '../case_parts.ts';
import { claimsOf } from '../oauth/oauth_requests.ts';

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
  generate: {
    weight: 2,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      oauthProviders: upTo(2, world, () => generatedAccount(world)),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: { oauth_provider: result.providerIds },
    facts: {
      'they are the user’s accounts': result.providerIds.every((id: string, i: number) => {
        const provider = after.rows.oauth_provider.get(id);
        const { sub } = claimsOf(intent.oauthProviders[i].oidcToken);
        return provider?.userId === intent.userId && provider?.subject === sub;
      }),
      'no account is there twice':
        new Set(rowsIn(after, 'oauth_provider').map(({ subject }) => subject)).size ===
        after.rows.oauth_provider.size,
    },
  }),
});
