import { userWithAddress } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_USER_EMAIL',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userEmail: 'new@example.com' }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      userEmail: world.choice.chance(0.5) ? '' : `user${world.serial}@example.com`,
    }),
  },
  effect: userWithAddress,
});
