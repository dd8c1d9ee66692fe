import { refuseTry, tryCode } from '../../core/auth/one_time_codes/otp_codes.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import {
  answerText,
  bearerText,
  boolean,
  label,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { requireLogin } from '../../core/settings/features.ts';
import { startBundledSession } from '../../core/users/bundled_sessions.ts';
import { usersOfContact } from '../../core/users/user_contacts.ts';
import { markVerified } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';
import { lifeSeconds, targetPublicKey } from './message_members.ts';

export const otp_auth = activity({
  wire: wireOf('ACTIVITY_TYPE_OTP_AUTH'),
  summary:
    'Exchanges a one-time code for an API key that expires, encrypted to the target key of the request.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({
    otpId: uuid(),
    otpCode: bearerText({ maximum: 1000 }),
    targetPublicKey: targetPublicKey(),
    apiKeyName: optional(label()),
    expirationSeconds: optional(lifeSeconds()),
    invalidateExisting: optional(boolean()),
  }),
  result: object({
    userId: answerText(),
    apiKeyId: optional(answerText()),
    credentialBundle: optional(answerText()),
  }),

  parentActs: true,
  countsTries: true,

  load: async ({ organization, parameters }) => {
    const row = organization.get('otp_code', parameters.otpId.toLowerCase());
    if (row !== undefined) requireLogin(row.otpType, organization);
    return parseTargetKey(parameters.targetPublicKey, 'parameters.targetPublicKey');
  },
  apply: ({ organization, parameters, loaded: targetKey, context, services }) => {
    const row = organization.get('otp_code', parameters.otpId.toLowerCase());
    const { otpCode, apiKeyName: name, expirationSeconds, invalidateExisting } = parameters;
    const [user, second] = row === undefined ? [] : usersOfContact(row, organization);
    // If no user, or more than one, has the contact, every code is wrong.
    const typed = second === undefined && user !== undefined ? otpCode : undefined;
    const tried = tryCode(row, {
      typed,
      flow: 'otp_auth',
      rows: organization.rows('otp_code').values(),
      now: context.now,
      admits: services.admitTry,
    });
    if (tried.changed !== undefined) organization.put('otp_code', tried.changed);
    if (tried.outcome === 'refused' || user === undefined) return refuseTry(tried);
    markVerified(user, tried.otpType, organization);
    const { key, credentialBundle } = startBundledSession(
      {
        kind: 'otp_auth',
        user,
        targetPublicKey: targetKey,
        name,
        expirationSeconds,
        invalidateExisting,
      },
      organization,
      context,
      services.random,
    );
    return { userId: user.id, apiKeyId: key.id, credentialBundle };
  },
});
