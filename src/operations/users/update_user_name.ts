import { answerText, label, object, uuid } from '../../core/schema/schema.ts';
import { updateUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const update_user_name = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_USER_NAME'),
  summary: 'Renames a user.',
  subject: { resource: 'USER', action: 'UPDATE' },
  authority: 'contact',
  parameters: object({
    userId: uuid(),
    userName: label(),
  }),
  result: object({ userId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const changes = { name: parameters.userName };
    return { userId: updateUser(parameters.userId, changes, organization, context.now).id };
  },
});
