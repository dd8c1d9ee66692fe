import { answerList, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireUser } from '../../core/users.ts';
import { userView } from '../../core/wire.ts';
import { oauthProviderShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_oauth_providers = query({
  summary: 'Lists the OAuth providers of a user, or of all. None can be registered yet.',
  body: object({ userId: optional(uuid()) }),
  response: object({ oauthProviders: answerList(oauthProviderShape()) }),

  answer: ({ organization, body: { userId } }) => {
    const users =
      userId === undefined ? organization.list('user') : [requireUser(organization, userId)];
    return {
      oauthProviders: users.flatMap((user) => userView(user, organization).oauthProviders),
    };
  },
});
