import { userWithAddress } from '../../simulation/effect_parts.ts';
import { idOf, userTagIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userId, userTagId }) => ({
        userId,
        userName: label,
        userTagIds: [userTagId],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      userName: `User ${world.serial}`,
      userTagIds: userTagIds(world),
    }),
  },
  effect: userWithAddress,
});
