// A stored one-time code.

import type { OtpType } from '../../base/enums.ts';

/**
 * The flow of a code. `otp`: the client returns the code in plain text; `otp_v3`: encrypted to a key for the
 * code; `otp_auth`: in exchange for an API key. A code works only in its own flow.
 */
export type OtpFlow = 'otp' | 'otp_v3' | 'otp_auth';

/** A code that was sent. The row does not hold the code. */
export type OtpCode = {
  readonly id: string;
  /** Time of sending. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly flow: OtpFlow;
  readonly otpType: OtpType;
  /** Recipient: an e-mail address in lower case, or a phone number in E.164 form. */
  readonly contact: string;
  /** The user identifier of the request, which has its own limits. */
  readonly userIdentifier?: string;
  /** Source of the stranger for whom the onboarding proxy sent the code. */
  readonly stranger?: string;
  readonly alphanumeric: boolean;
  /** 16 random bytes, base64url. */
  readonly salt: string;
  /** HMAC-SHA-256 of the code, keyed with the salt: base64url. */
  readonly digest: string;
  /** 0 when the code is locked or used. */
  readonly triesLeft: number;
  /** Wrong tries; absent without any. */
  readonly wrongTries?: number;
  readonly expiresAtMs: number;
  /** For `otp_v3` until the code is locked or used: the wrapped key that decrypts the answer. */
  readonly targetPrivateKey?: string;
};
