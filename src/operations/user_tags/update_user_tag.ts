import { failField } from '../../core/errors/errors.ts';
import { userTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerText, label, list, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const update_user_tag = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_USER_TAG'),
  summary: 'Renames a user tag, adds it to users and removes it from others.',
  subject: { resource: 'USER', action: 'UPDATE' },
  authority: 'users_and_tags',
  parameters: object({
    userTagId: uuid(),
    newUserTagName: optional(label()),
    addUserIds: list(uuid()),
    removeUserIds: list(uuid()),
  }),
  result: object({ userTagId: answerText() }),

  apply: ({ organization, parameters, context: { now } }) => {
    const tag = userTags.require(organization, parameters.userTagId);
    const name = parameters.newUserTagName;
    if (name !== undefined) userTags.rename(tag, name, now, organization);
    const added = distinctIds(parameters.addUserIds, 'parameters.addUserIds');
    const removed = distinctIds(parameters.removeUserIds, 'parameters.removeUserIds');
    const inBoth = removed.findIndex((id) => added.includes(id));
    if (inBoth !== -1) failField(`parameters.removeUserIds.${inBoth}`, 'is also in addUserIds');
    const usersOf = (ids: readonly string[]) => ids.map((id) => requireUser(organization, id));
    userTags.put(usersOf(added), tag.id, now, organization);
    userTags.take(usersOf(removed), tag.id, now, organization);
    return { userTagId: tag.id };
  },
});
