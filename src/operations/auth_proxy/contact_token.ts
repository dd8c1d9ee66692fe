// Interprets a verification token at the onboarding proxy: its presenter has proven to hold a contact.

import { requireVerification, type Verification } from '../../core/auth/verifications.ts';
import type { OtpType } from '../../core/base/enums.ts';
import type { ChildIndex } from '../reader.ts';
import type { ProxyCall } from './proxy_operation.ts';

/**
 * Reads a token of either version that this organization issued. The activity that uses the token checks for
 * earlier use. Raises `verification_token_invalid`.
 */
export function readContactToken(token: string, call: ProxyCall): Verification {
  return requireVerification(token, ['current', 'first'], call.organization, call);
}

/** The login method of each type of codes. */
export const methodOfOtpType = { OTP_TYPE_EMAIL: 'email', OTP_TYPE_SMS: 'sms' } as const;

/** The lookup index of the child with a verified contact. */
export const indexOfOtpType = {
  OTP_TYPE_EMAIL: 'child_verified_email',
  OTP_TYPE_SMS: 'child_verified_phone_number',
} as const satisfies Record<OtpType, ChildIndex>;
