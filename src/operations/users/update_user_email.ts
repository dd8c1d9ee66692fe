import { useVerification } from '../../core/auth/verifications.ts';
import { policy } from '../../core/policy/decision/access.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { updateUser } from '../../core/users/users.ts';
import { email, verificationToken } from '../credential_shapes.ts';
import { activity } from '../operation.ts';
import { verifiedContact } from './verified_contact.ts';

export const update_user_email = activity({
  wire: {
    type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    intent: 'updateUserEmailIntent',
    result: 'updateUserEmailResult',
  },
  summary: 'Sets the email address of a user; an empty string removes it.',
  subject: { resource: 'USER', action: 'UPDATE' },
  parameters: object({
    userId: uuid(),
    userEmail: email(),
    verificationToken: optional(verificationToken()),
  }),
  result: object({ userId: answerText() }),

  access: policy(),

  load: async ({ parameters, ...asked }) =>
    verifiedContact(
      'OTP_TYPE_EMAIL',
      {
        contact: parameters.userEmail,
        field: 'parameters.userEmail',
        verificationToken: parameters.verificationToken,
      },
      asked,
    ),
  apply: ({ organization, parameters, loaded: verification, context }) => {
    if (verification !== undefined) {
      useVerification(verification, 'contact_change', organization, context.now);
    }
    const changes = {
      email: parameters.userEmail === '' ? null : parameters.userEmail,
      verified: verification?.otpType,
    };
    return { userId: updateUser(parameters.userId, changes, organization, context.now).id };
  },
});
