import { answerText, boolean, label, object, optional } from '../../core/schema/schema.ts';
import { email } from '../credential_shapes.ts';
import { activityOf, olderVersion, wireOf } from '../operation.ts';
import { type MailParameters, mailCredential, prepareMail } from './mail_credential.ts';
import {
  lifeSeconds,
  namedEmailCustomization,
  olderEmailCustomization,
  senderMembers,
  targetPublicKey,
} from './message_members.ts';

const members = () => ({
  email: email(),
  targetPublicKey: targetPublicKey(),
  apiKeyName: optional(label()),
  expirationSeconds: optional(lifeSeconds()),
  invalidateExisting: optional(boolean()),
  ...senderMembers(),
});

const older = ['_V2', ''].map((version) =>
  olderVersion({
    wire: wireOf(`ACTIVITY_TYPE_EMAIL_AUTH${version}`, ''),
    parameters: object({ ...members(), emailCustomization: optional(olderEmailCustomization()) }),
    upgrade: (given): MailParameters => given,
  }),
);

export const email_auth = activityOf<MailParameters>()({
  wire: wireOf('ACTIVITY_TYPE_EMAIL_AUTH_V3', ''),
  older,
  summary:
    'Sends a user an API key that expires by email, encrypted to the target key of the request.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({ ...members(), emailCustomization: namedEmailCustomization() }),
  upgrade: (given): MailParameters => given,
  result: object({ userId: answerText(), apiKeyId: answerText() }),

  parentActs: true,

  load: async ({ organization, parameters, services }) =>
    prepareMail(
      'email_auth',
      parameters,
      organization,
      services.deployment,
      await services.parent(),
    ),
  apply: ({ organization, parameters, submitter, loaded, context, services }) => {
    const asked = { ...services, askedBy: submitter.id };
    const key = mailCredential('email_auth', parameters, loaded, organization, context, asked);
    return { userId: key.userId, apiKeyId: key.id };
  },
});
