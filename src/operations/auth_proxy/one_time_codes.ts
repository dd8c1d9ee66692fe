// Login with a code that is sent to a contact. A request for a code performs no lookup, so it reveals no
// accounts.

import { leadsToOrigin } from '../../core/auth/one_time_codes/message_customization.ts';
import { otpTypes } from '../../core/base/enums.ts';
import { fail } from '../../core/errors/errors.ts';
import type { JsonObject } from '../../core/schema/json.ts';
import {
  answerText,
  boolean,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import { linkOriginsOf } from '../../core/settings/link_origins.ts';
import { apiPublicKey, clientSignature, verificationToken } from '../credential_shapes.ts';
import { indexOfOtpType, methodOfOtpType, readContactToken } from './contact_token.ts';
import type { ProxyCall } from './proxy_operation.ts';

export const askedFor = object({
  otpType: oneOf(otpTypes),
  contact: text({ minimum: 1, maximum: 1000 }),
  emailCustomization: optional(object({ templateId: optional(text({ maximum: 255 })) })),
});
type CodeBody = ValueOfSchema<typeof askedFor>;

export const session = object({ session: answerText() });
export const login = {
  verificationToken: verificationToken(),
  publicKey: apiPublicKey(),
  invalidateExisting: optional(boolean()),
  organizationId: optional(uuid()),
};

export const firstLogin = object({ ...login, clientSignature: optional(clientSignature()) });
type LogIn = ValueOfSchema<typeof firstLogin>;

export async function sendCode(
  call: ProxyCall,
  body: CodeBody,
  type?: string,
): Promise<JsonObject> {
  const { otpType, contact, emailCustomization } = body;
  const { settings, organization } = call;
  call.requireMethod(methodOfOtpType[otpType]);
  // Kept as it was sent: some clients send all members, and an empty one counts as absent.
  const {
    appName: requested = '',
    magicLinkTemplate = '',
    ...looks
  } = settings.emailCustomizationParams ?? {};
  // A page that the organization no longer names gets no code, and must not stop logins.
  const link = leadsToOrigin(magicLinkTemplate, linkOriginsOf(organization))
    ? { magicLinkTemplate }
    : {};
  const appName = requested === '' ? organization.head.name : requested;
  const { sendFromEmailAddress, sendFromEmailSenderName, replyToEmailAddress } = settings;
  const isEmail = otpType === 'OTP_TYPE_EMAIL';
  const parameters = {
    otpType,
    contact,
    appName,
    otpLength: settings.otpLength,
    alphanumeric: settings.otpAlphanumeric,
    expirationSeconds: String(settings.otpExpirationSeconds),
    ...(isEmail
      ? {
          emailCustomization: { ...looks, ...link, ...emailCustomization },
          sendFromEmailAddress,
          sendFromEmailSenderName,
          replyToEmailAddress,
        }
      : { smsCustomization: settings.smsCustomizationParams }),
  };
  const { result } = await call.act('init_otp', parameters, type === undefined ? {} : { type });
  return result;
}

export async function verifyCode(call: ProxyCall, body: JsonObject, type?: string) {
  const lifeSeconds = call.settings.verificationTokenExpirationSeconds;
  const parameters = { ...body, expirationSeconds: String(lifeSeconds) };
  const { result } = await call.act('verify_otp', parameters, type === undefined ? {} : { type });
  return { verificationToken: String(result['verificationToken']) };
}

export async function logIn(
  call: ProxyCall,
  { organizationId: named, ...body }: LogIn,
  type?: string,
) {
  const { otpType, contact } = readContactToken(body.verificationToken, call);
  call.requireMethod(methodOfOtpType[otpType]);
  const organizationId =
    named === undefined
      ? await call.childWith(indexOfOtpType[otpType], contact)
      : await call.requireChild(named);
  if (organizationId === undefined) {
    fail('identity_not_found', { organizationId: call.organization.id });
  }
  const expirationSeconds = String(call.settings.sessionExpirationSeconds);
  const where = { organizationId, ...(type === undefined ? {} : { type }) };
  const { result } = await call.act('otp_login', { ...body, expirationSeconds }, where);
  return { session: String(result['session']) };
}
