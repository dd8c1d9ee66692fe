import { policy } from '../../core/policy/access.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { updateUser } from '../../core/users.ts';
import { phoneNumber, verificationToken } from '../credential_shapes.ts';
import { activity } from '../operation.ts';
import { refuseVerificationToken } from './verification_token.ts';

export const update_user_phone_number = activity({
  wire: {
    type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    intent: 'updateUserPhoneNumberIntent',
    result: 'updateUserPhoneNumberResult',
  },
  summary: 'Sets the phone number of a user; an empty text removes it.',
  subject: { resource: 'USER', action: 'UPDATE' },
  parameters: object({
    userId: uuid(),
    userPhoneNumber: phoneNumber(),
    verificationToken: optional(verificationToken()),
  }),
  result: object({ userId: answerText() }),

  access: policy(),

  apply: ({ organization, parameters, context }) => {
    refuseVerificationToken(parameters);
    const changes = {
      phoneNumber: parameters.userPhoneNumber === '' ? null : parameters.userPhoneNumber,
    };
    return { userId: updateUser(parameters.userId, changes, organization, context.now).id };
  },
});
