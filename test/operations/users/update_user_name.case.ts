import { updatedUser } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER_NAME',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userName: label }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      userId: idOf(world, 'user'),
      userName: `User ${world.serial}`,
    }),
  },
  effect: (input) => ({
    ...updatedUser(input),
    facts: {
      'it has the name':
        input.after.rows.user.get(input.intent.userId)?.name === input.intent.userName,
    },
  }),
});
