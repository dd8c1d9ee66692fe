// A new key of a user, sealed to the requester's key and mailed, for a login or a recovery.

import {
  checkEmailCustomization,
  checkSender,
  type EmailCustomization,
  type EmailCustomizationParameters,
  type Sender,
  type SenderParameters,
} from '../../core/auth/one_time_codes/message_customization.ts';
import { loginEmail, recoveryEmail } from '../../core/auth/one_time_codes/messages.ts';
import type { Context } from '../../core/base/context.ts';
import { table } from '../../core/base/table.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { requireChannel } from '../../core/external/channels.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import { checkEmail } from '../../core/organization/indexes/contacts.ts';
import type { ApiKey } from '../../core/organization/model.ts';
import type { OrganizationDraft, OrganizationView } from '../../core/organization/state.ts';
import { requireLogin, webauthnOriginsOf } from '../../core/settings/features.ts';
import { linkOriginsOf } from '../../core/settings/link_origins.ts';
import { startBundledSession } from '../../core/users/bundled_sessions.ts';
import { defaultSessionSeconds } from '../../core/users/sessions.ts';
import { userOfContact } from '../../core/users/user_contacts.ts';

/** The common parameters of all versions of both operations. */
export type MailParameters = SenderParameters & {
  readonly email: string;
  readonly targetPublicKey: string;
  readonly apiKeyName?: string;
  readonly expirationSeconds?: string | number;
  readonly invalidateExisting?: boolean;
  readonly emailCustomization?: EmailCustomizationParameters;
};

type MailRow = {
  /** The feature that the organization must have enabled. */
  readonly login: 'email_auth' | 'email_recovery';
  readonly write: typeof loginEmail;
};

const mails = table<MailRow>()({
  email_auth: { login: 'email_auth', write: loginEmail },
  recovery: { login: 'email_recovery', write: recoveryEmail },
});

type Prepared = {
  readonly email: string;
  readonly targetPublicKey: Uint8Array;
  readonly customization: EmailCustomization;
  readonly sender: Sender;
};

/** Loads the input of the decision. */
export function prepareMail(
  kind: keyof typeof mails,
  parameters: MailParameters,
  organization: OrganizationView,
  deployment: Deployment,
  parent: OrganizationView | undefined,
): Prepared {
  requireLogin(mails[kind].login, organization);
  requireChannel('email', deployment);
  const { email, targetPublicKey, emailCustomization = {} } = parameters;
  return {
    email: checkEmail(email, 'parameters.email').toLowerCase(),
    targetPublicKey: parseTargetKey(targetPublicKey, 'parameters.targetPublicKey'),
    customization: checkEmailCustomization(
      emailCustomization,
      'parameters.emailCustomization',
      // The root quorum sets passkey origins, whereas a policy may let any user change settings of the proxy.
      parent === undefined ? (webauthnOriginsOf(organization) ?? []) : linkOriginsOf(parent),
    ),
    sender: checkSender(parameters, 'parameters'),
  };
}

/** Creates the key and mails it. Only the mail contains the bundle, which proves ownership of the address. */
export function mailCredential(
  kind: keyof typeof mails,
  parameters: MailParameters,
  { email, targetPublicKey, customization, sender }: Prepared,
  organization: OrganizationDraft,
  context: Context,
  services: {
    /** The id of the user who requested the mail. */
    readonly askedBy: string;
    readonly random: (length: number) => Uint8Array;
    readonly send: (message: OutgoingMessage) => void;
  },
): ApiKey {
  const user = userOfContact({ otpType: 'OTP_TYPE_EMAIL', contact: email }, organization);
  const { apiKeyName: name, expirationSeconds, invalidateExisting } = parameters;
  const { key, credentialBundle } = startBundledSession(
    {
      kind,
      user,
      targetPublicKey,
      name,
      expirationSeconds,
      invalidateExisting,
      askedBy: services.askedBy,
    },
    organization,
    context,
    services.random,
  );
  const lifeSeconds = key.expirationSeconds ?? defaultSessionSeconds;
  const to = user.email ?? email;
  services.send(mails[kind].write(credentialBundle, lifeSeconds, to, customization, sender));
  return key;
}
