import { updatedUser } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_USER_PHONE_NUMBER',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userPhoneNumber: '+15555550123' }) }],
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      userPhoneNumber: world.choice.chance(0.5) ? '' : '+14155552671',
    }),
  },
  effect: updatedUser,
});
