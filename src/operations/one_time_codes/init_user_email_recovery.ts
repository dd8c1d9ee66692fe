import { answerText, object, optional } from '../../core/schema/schema.ts';
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
  expirationSeconds: optional(lifeSeconds()),
  ...senderMembers(),
});

const older = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY'),
    parameters: object({ ...members(), emailCustomization: optional(olderEmailCustomization()) }),
    upgrade: (given): MailParameters => given,
  }),
];

/** The mailed key is valid only for recover_user. */
export const init_user_email_recovery = activityOf<MailParameters>()({
  wire: wireOf('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', ''),
  older,
  summary: 'Sends a user who lost all credentials a key by email that can add a passkey.',
  subject: { resource: 'RECOVERY', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({ ...members(), emailCustomization: namedEmailCustomization() }),
  upgrade: (given): MailParameters => given,
  result: object({ userId: answerText() }),

  parentActs: true,

  load: async ({ organization, parameters, services }) =>
    prepareMail('recovery', parameters, organization, services.deployment, await services.parent()),
  apply: ({ organization, parameters, submitter, loaded, context, services }) => {
    const asked = { ...services, askedBy: submitter.id };
    const key = mailCredential('recovery', parameters, loaded, organization, context, asked);
    return { userId: key.userId };
  },
});
