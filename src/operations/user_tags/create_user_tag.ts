import { userTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, label, list, object, uuid } from '../../core/schema/schema.ts';
import { requireUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const create_user_tag = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_USER_TAG'),
  summary: 'Creates a user tag and adds it to users.',
  subject: { resource: 'USER', action: 'CREATE' },
  authority: 'users_and_tags',
  parameters: object({ userTagName: label(), userIds: list(uuid()) }),
  result: object({ userTagId: answerText(), userIds: answerList(answerText()) }),

  apply: ({ organization, parameters, context }) => {
    const { now } = context;
    const tag = userTags.create(
      { id: context.newId(), name: parameters.userTagName, now },
      organization,
    );
    const userIds = distinctIds(parameters.userIds, 'parameters.userIds');
    const users = userIds.map((id) => requireUser(organization, id));
    userTags.put(users, tag.id, now, organization);
    return { userTagId: tag.id, userIds };
  },
});
