// Members of the requests that send a message. core/auth/one_time_codes/message_customization.ts has their
// rules, which have lower limits than these shapes.

import { otpTypes } from '../../core/base/enums.ts';
import {
  boolean,
  decimal,
  integer,
  label,
  object,
  oneOf,
  optional,
  text,
} from '../../core/schema/schema.ts';

const checkedText = () => text({ maximum: 10_000 });

/** Sender of an e-mail. */
export const senderMembers = () => ({
  sendFromEmailAddress: optional(checkedText()),
  sendFromEmailSenderName: optional(checkedText()),
  replyToEmailAddress: optional(checkedText()),
});

/** Members that customize an e-mail, without the name of the application. */
const emailMembers = () => ({
  logoUrl: optional(checkedText()),
  magicLinkTemplate: optional(checkedText()),
  templateVariables: optional(checkedText()),
  templateId: optional(checkedText()),
});

/** Customization of an e-mail for requests with a member for the application's name. */
export const emailCustomization = () => object(emailMembers());

/** Customization of an e-mail, including the name of the application. */
export const namedEmailCustomization = () => object({ appName: label(), ...emailMembers() });

/** Customization of an e-mail in older versions, which require no name. */
export const olderEmailCustomization = () =>
  object({ appName: optional(checkedText()), ...emailMembers() });

export const smsCustomization = () => object({ template: optional(checkedText()) });

/** Members for the recipient of a code. */
export const recipientMembers = () => ({
  otpType: oneOf(otpTypes),
  contact: checkedText(),
  userIdentifier: optional(checkedText()),
});

/** Members for the form of a code; core/auth/one_time_codes/otp_codes.ts has the bounds. */
export const codeFormMembers = () => ({
  otpLength: optional(integer({ minimum: 0, maximum: 1000 })),
  alphanumeric: optional(boolean()),
});

/** The public key to which a secret is sealed; core/bundles/target_key.ts has the rule. */
export const targetPublicKey = () => text({ minimum: 1, maximum: 1000 });

/** Seconds; the rules state the accepted values. */
export const lifeSeconds = () => decimal({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
