import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { phoneNumber, verificationToken } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';
import { changeContact, verifiedContact } from './verified_contact.ts';

export const update_user_phone_number = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER'),
  summary: 'Sets the phone number of a user; an empty string removes it.',
  subject: { resource: 'USER', action: 'UPDATE' },
  authority: 'contact',
  parameters: object({
    userId: uuid(),
    userPhoneNumber: phoneNumber(),
    verificationToken: optional(verificationToken()),
  }),
  result: object({ userId: answerText() }),

  load: async ({ parameters, ...asked }) =>
    verifiedContact(
      'OTP_TYPE_SMS',
      {
        contact: parameters.userPhoneNumber,
        field: 'parameters.userPhoneNumber',
        verificationToken: parameters.verificationToken,
      },
      asked,
    ),
  apply: (input) => {
    const { activityId, organization, parameters, loaded: verification, context } = input;
    const { userId, userPhoneNumber: text } = parameters;
    const { submitterCredentialId: signedWith } = input;
    const contact = { userId, member: 'phoneNumber', text, signedWith } as const;
    return changeContact(contact, verification, organization, { activityId, now: context.now });
  },
});
