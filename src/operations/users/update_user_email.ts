import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { email, verificationToken } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { changeContact, verifiedContact } from './verified_contact.ts';

export const update_user_email = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_USER_EMAIL'),
  summary: 'Sets the email address of a user; an empty string removes it.',
  subject: { resource: 'USER', action: 'UPDATE' },
  authority: 'contact',
  parameters: object({
    userId: uuid(),
    userEmail: email(),
    verificationToken: optional(verificationToken()),
  }),
  result: object({ userId: answerText() }),

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
  apply: (input) => {
    const { activityId, organization, parameters, loaded: verification, context } = input;
    const { userId, userEmail: text } = parameters;
    const { submitterCredentialId: signedWith } = input;
    const contact = { userId, member: 'email', text, signedWith } as const;
    return changeContact(contact, verification, organization, { activityId, now: context.now });
  },
});
