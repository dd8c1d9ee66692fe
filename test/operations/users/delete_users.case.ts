import { deletedWithUsers } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_USERS',
  subject: 'USER DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userIds: [userId] }) }],
  generate: { weight: 2, parameters: (world) => ({ userIds: idsOf(world, 'user', 1) }) },
  effect: ({ intent: { userIds }, before }) => ({
    deleted: deletedWithUsers(before, userIds),
  }),
});
