import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_USER_TAG',
  subject: 'USER CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userTagName: label, userIds: [userId] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      userTagName: `Tag ${world.serial}`,
      userIds: idsOf(world, 'user', 2),
    }),
  },
  effect: ({ intent, result }) => ({
    created: { tag: [result.userTagId] },
    updated: { user: intent.userIds },
  }),
});
