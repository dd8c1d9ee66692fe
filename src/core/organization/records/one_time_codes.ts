// A one-time code as it is stored.

import type { OtpType } from '../../base/enums.ts';

/**
 * Which activities a code belongs to. `otp`: the code is sent back in the clear; `otp_v3`: encrypted
 * to a key of its own; `otp_auth`: in exchange for an API key. A code is good for its own flow alone.
 */
export type OtpFlow = 'otp' | 'otp_v3' | 'otp_auth';

/** A code that was sent. The row does not hold the code. */
export type OtpCode = {
  readonly id: string;
  /** When it was sent. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly flow: OtpFlow;
  readonly otpType: OtpType;
  /** Where it was sent: an e-mail address in lower case, or a phone number in E.164 form. */
  readonly contact: string;
  /** Whom the caller says the code is for; what is counted, where it is given. */
  readonly userIdentifier?: string;
  /** Where the stranger asked from, for whom the onboarding proxy had it sent. */
  readonly stranger?: string;
  readonly alphanumeric: boolean;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** HMAC-SHA-256 of the code, keyed with the salt: base64url. */
  readonly digest: string;
  /** 0 once it is locked or used. */
  readonly triesLeft: number;
  readonly expiresAtMs: number;
  /** Of `otp_v3`, until it is locked or used: the wrapped key that the answer is encrypted to. */
  readonly targetPrivateKey?: string;
};
