import { orUnknown, userTagIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_USER_TAGS',
  subject: 'USER DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userTagId }) => ({ userTagIds: [userTagId] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({ userTagIds: orUnknown(userTagIds(world)) }),
  },
  effect: ({ intent, result }) => ({
    deleted: { tag: intent.userTagIds },
    updated: { user: result.userIds },
  }),
});
