import { policy } from '../../core/policy/access.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { updateUser } from '../../core/users.ts';
import { email, verificationToken } from '../credential_shapes.ts';
import { activity } from '../operation.ts';
import { refuseVerificationToken } from './verification_token.ts';

export const update_user_email = activity({
  wire: {
    type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    intent: 'updateUserEmailIntent',
    result: 'updateUserEmailResult',
  },
  summary: 'Sets the e-mail address of a user; an empty text removes it.',
  subject: { resource: 'USER', action: 'UPDATE' },
  parameters: object({
    userId: uuid(),
    userEmail: email(),
    verificationToken: optional(verificationToken()),
  }),
  result: object({ userId: answerText() }),

  access: policy(),

  apply: ({ organization, parameters, context }) => {
    refuseVerificationToken(parameters);
    const changes = {
      email: parameters.userEmail === '' ? null : parameters.userEmail,
    };
    return { userId: updateUser(parameters.userId, changes, organization, context.now).id };
  },
});
