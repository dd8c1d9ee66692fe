import { codeLengths } from '../../core/auth/one_time_codes/otp_code.ts';
import { answerText, label, object, optional } from '../../core/schema/schema.ts';
import { usersOfContact } from '../../core/users/user_contacts.ts';
import { activityOf, olderVersion, wireOf } from '../operation.ts';
import {
  codeFormMembers,
  emailCustomization,
  lifeSeconds,
  olderEmailCustomization,
  recipientMembers,
  senderMembers,
  smsCustomization,
} from './message_members.ts';
import { type CodeParameters, keepCode, prepareCode } from './start_code.ts';

const members = () => ({
  ...recipientMembers(),
  smsCustomization: optional(smsCustomization()),
  ...senderMembers(),
});

const olderMembers = () => ({
  ...members(),
  emailCustomization: optional(olderEmailCustomization()),
});

const older = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_INIT_OTP_AUTH_V2'),
    parameters: object({ ...olderMembers(), ...codeFormMembers() }),
    upgrade: (given): CodeParameters => given,
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_INIT_OTP_AUTH'),
    parameters: object(olderMembers()),
    upgrade: (given): CodeParameters => given,
  }),
];

/** The answer does not reveal whether the contact exists: only the message is omitted. */
export const init_otp_auth = activityOf<CodeParameters>()({
  wire: wireOf('ACTIVITY_TYPE_INIT_OTP_AUTH_V3', 'V2'),
  older,
  summary: 'Sends a one-time code to a user, who exchanges it for an API key.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    ...members(),
    ...codeFormMembers(),
    appName: label(),
    emailCustomization: optional(emailCustomization()),
    expirationSeconds: optional(lifeSeconds()),
  }),
  upgrade: (given): CodeParameters => given,
  result: object({ otpId: answerText() }),

  parentActs: true,

  load: async ({ organization, parameters, services }) =>
    prepareCode(parameters, organization, services.deployment, {
      isLogin: true,
      parent: await services.parent(),
    }),
  facts: ({ parameters: { otpLength = codeLengths.fallback } }) => ({
    params: { otp_length: BigInt(otpLength) },
  }),
  apply: ({ organization, parameters, loaded: message, context, services }) => {
    const id = context.newId();
    keepCode(parameters, organization, {
      id,
      flow: 'otp_auth',
      isForSomebody: (recipient) => usersOfContact(recipient, organization).length === 1,
      message,
      now: context.now,
      services,
    });
    return { otpId: id };
  },
});
