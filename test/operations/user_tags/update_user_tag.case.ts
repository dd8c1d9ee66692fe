import { idsOf, split, unknownId, userTagIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER_TAG',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        newUserTagName: label,
        addUserIds: [userId],
        removeUserIds: [],
      }),
    },
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        addUserIds: [],
        removeUserIds: [userId],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      userTagId: userTagIds(world)[0] ?? unknownId,
      newUserTagName: `Tag ${world.serial}`,
      ...split(idsOf(world, 'user', 2), 'addUserIds', 'removeUserIds'),
    }),
  },
  effect: ({ intent }) => ({
    updated: { tag: [intent.userTagId], user: [...intent.addUserIds, ...intent.removeUserIds] },
  }),
});
