import { answerList, object, optional, uuid } from '../../core/schema/schema.ts';
import { apiKeysOfUser } from '../../core/users/api_keys.ts';
import { requireUser } from '../../core/users/users.ts';
import { apiKeyView } from '../../core/views/wire.ts';
import { apiKeyShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_api_keys = query({
  summary: 'Lists the API keys of a user, or of all users, oldest first.',
  body: object({ userId: optional(uuid()) }),
  response: object({ apiKeys: answerList(apiKeyShape()) }),

  answer: ({ organization, body: { userId } }) => {
    const keys =
      userId === undefined
        ? organization.list('api_key')
        : apiKeysOfUser(organization, requireUser(organization, userId).id);
    return { apiKeys: keys.map(apiKeyView) };
  },
});
