import type { AuthenticationMethod } from '../../../src/core/organization/records/mfa_policy.ts';
import type { Sender, TestService } from '../../support/harness.ts';
import { resultOf } from '../sessions/session_requests.ts';

export const passkey = { type: 'AUTHENTICATION_TYPE_PASSKEY' } as const;
export const apiKey = { type: 'AUTHENTICATION_TYPE_API_KEY' } as const;
export const session = { type: 'AUTHENTICATION_TYPE_SESSION' } as const;
export const emailOtp = { type: 'AUTHENTICATION_TYPE_EMAIL_OTP' } as const;
export const smsOtp = { type: 'AUTHENTICATION_TYPE_SMS_OTP' } as const;
export const oauth = { type: 'AUTHENTICATION_TYPE_OAUTH' } as const;

/** Returns steps; any one of the methods of a step meets it. */
export const stepsOf = (...steps: readonly (readonly AuthenticationMethod[])[]) =>
  steps.map((any) => ({ any }));

/** Returns an MFA policy in the form of requests: API key and passkey for all activities. */
export const describedMfa = (userId: string, changes: object = {}) => ({
  userId,
  mfaPolicyName: 'Two factors',
  condition: 'true',
  requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
  order: 0,
  ...changes,
});

/** Creates an MFA policy; returns its id. */
export async function makeMfaPolicy(
  service: TestService,
  userId: string,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_MFA_POLICY';
  const parameters = describedMfa(userId, changes);
  const answer = await service.submit('create_mfa_policy', type, parameters, as);
  return resultOf(answer).mfaPolicyId;
}
