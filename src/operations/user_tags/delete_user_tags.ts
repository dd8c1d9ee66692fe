import { userTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_user_tags = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_USER_TAGS'),
  summary: 'Deletes user tags, and returns the users that had one of them.',
  subject: { resource: 'USER', action: 'DELETE' },
  authority: 'users_and_tags',
  parameters: object({ userTagIds: list(uuid(), { minimum: 1 }) }),
  result: object({ userTagIds: answerList(answerText()), userIds: answerList(answerText()) }),

  apply: ({ organization, parameters, context }) => {
    const userTagIds = distinctIds(parameters.userTagIds, 'parameters.userTagIds');
    const userIds = userTags.remove(userTagIds, context.now, organization);
    return { userTagIds, userIds };
  },
});
