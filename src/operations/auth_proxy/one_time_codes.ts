// Signing in with a code that is sent to a contact. Asking for one looks nobody up, so it tells
// nobody who has an account.

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
import { apiPublicKey, clientSignature, verificationToken } from '../credential_shapes.ts';
import { indexOfOtpType, methodOfOtpType, readContactToken } from './contact_token.ts';
import { endpoint, type ProxyCall } from './proxy_endpoint.ts';

const askedFor = object({
  otpType: oneOf(otpTypes),
  contact: text({ minimum: 1, maximum: 1000 }),
  emailCustomization: optional(object({ templateId: optional(text({ maximum: 255 })) })),
});
type AskedFor = ValueOfSchema<typeof askedFor>;

export const otp_init = endpoint({
  summary: 'Sends a one-time code, which the client returns unencrypted.',
  body: askedFor,
  response: object({ otpId: answerText() }),
  takesCaptcha: true,
  answer: async (call, body) => {
    const { otpId } = await sendCode(call, body, 'ACTIVITY_TYPE_INIT_OTP_V2');
    return { otpId: String(otpId) };
  },
});

export const otp_init_v2 = endpoint({
  summary: 'Sends a one-time code, which the client returns encrypted.',
  body: askedFor,
  response: object({ otpId: answerText(), otpEncryptionTargetBundle: answerText() }),
  takesCaptcha: true,
  answer: async (call, body) => {
    const { otpId, otpEncryptionTargetBundle } = await sendCode(call, body);
    return {
      otpId: String(otpId),
      otpEncryptionTargetBundle: String(otpEncryptionTargetBundle),
    };
  },
});

export const otp_verify = endpoint({
  summary: 'Exchanges an unencrypted one-time code for a verification token.',
  body: object({
    otpId: uuid(),
    otpCode: text({ maximum: 1000 }),
    publicKey: optional(apiPublicKey()),
  }),
  response: object({ verificationToken: answerText() }),
  answer: (call, body) => verifyCode(call, body, 'ACTIVITY_TYPE_VERIFY_OTP'),
});

export const otp_verify_v2 = endpoint({
  summary: 'Exchanges an encrypted one-time code for a verification token.',
  body: object({
    otpId: uuid(),
    encryptedOtpBundle: text({ minimum: 1, maximum: 10_000 }),
  }),
  response: object({ verificationToken: answerText() }),
  answer: (call, body) => verifyCode(call, body),
});

const session = object({ session: answerText() });
const login = {
  verificationToken: verificationToken(),
  publicKey: apiPublicKey(),
  invalidateExisting: optional(boolean()),
  organizationId: optional(uuid()),
};

const firstLogin = object({ ...login, clientSignature: optional(clientSignature()) });
type LogIn = ValueOfSchema<typeof firstLogin>;

export const otp_login = endpoint({
  summary: 'Starts a session for a user with a verified contact.',
  body: firstLogin,
  response: session,
  answer: (call, body) => logIn(call, body, 'ACTIVITY_TYPE_OTP_LOGIN'),
});

export const otp_login_v2 = endpoint({
  summary:
    'Starts a session for a user with a verified contact who signs with the key of the token.',
  body: object({ ...login, clientSignature: clientSignature() }),
  response: session,
  answer: (call, body) => logIn(call, body),
});

async function sendCode(call: ProxyCall, body: AskedFor, type?: string): Promise<JsonObject> {
  const { otpType, contact, emailCustomization } = body;
  const { settings, organization } = call;
  call.requireMethod(methodOfOtpType[otpType]);
  // Kept as it was sent: some clients send all members, and an empty one counts as absent.
  const {
    appName: wanted = '',
    // Codes come without a link; one that may lead there no more stops no code.
    magicLinkTemplate: _,
    ...looks
  } = settings.emailCustomizationParams ?? {};
  const appName = wanted === '' ? organization.head.name : wanted;
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
          emailCustomization: { ...looks, ...emailCustomization },
          sendFromEmailAddress,
          sendFromEmailSenderName,
          replyToEmailAddress,
        }
      : { smsCustomization: settings.smsCustomizationParams }),
  };
  const { result } = await call.act('init_otp', parameters, type === undefined ? {} : { type });
  return result;
}

async function verifyCode(call: ProxyCall, body: JsonObject, type?: string) {
  const lifeSeconds = call.settings.verificationTokenExpirationSeconds;
  const parameters = { ...body, expirationSeconds: String(lifeSeconds) };
  const { result } = await call.act('verify_otp', parameters, type === undefined ? {} : { type });
  return { verificationToken: String(result['verificationToken']) };
}

async function logIn(call: ProxyCall, { organizationId: named, ...body }: LogIn, type?: string) {
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
