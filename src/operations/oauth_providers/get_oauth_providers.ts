import { answerList, object, optional, uuid } from '../../core/schema/schema.ts';
import { providersOfUser } from '../../core/users/oauth_providers.ts';
import { requireUser } from '../../core/users/users.ts';
import { oauthProviderView } from '../../core/views/wire.ts';
import { oauthProviderShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_oauth_providers = query({
  summary: 'Lists the OAuth identities of a user, or of all users, oldest first.',
  body: object({ userId: optional(uuid()) }),
  response: object({ oauthProviders: answerList(oauthProviderShape()) }),

  answer: ({ organization, body: { userId } }) => {
    const providers =
      userId === undefined
        ? organization.list('oauth_provider')
        : providersOfUser(organization, requireUser(organization, userId).id);
    return { oauthProviders: providers.map(oauthProviderView) };
  },
});
