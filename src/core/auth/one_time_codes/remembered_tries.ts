// Tries of one-time codes as the running enclave remembers them. The row of a code counts them too, but
// only where a commit is durable: a database that takes none could look on while codes are guessed.

import { otpLimits } from './otp_limits.ts';

/** Codes that are remembered; beyond them no other code can be tried until some have expired. */
export const maximumRememberedCodes = 100_000;

export type RememberedTries = {
  /**
   * Returns true if a request may try a code, which it then has. The same request, repeated, is the
   * same try; other requests have as many as a code allows, and none is ever given back.
   */
  admit(attempt: {
    readonly organizationId: string;
    readonly code: { readonly id: string; readonly expiresAtMs: number };
    /** The digest of its body. */
    readonly request: string;
    readonly now: number;
  }): boolean;
};

/** A memory of its own, empty. */
export function createRememberedTries(maximum = maximumRememberedCodes): RememberedTries {
  const codes = new Map<string, { readonly expiresAtMs: number; readonly requests: Set<string> }>();

  function makeRoom(now: number): void {
    if (codes.size < maximum) return;
    for (const [key, { expiresAtMs }] of codes) if (expiresAtMs <= now) codes.delete(key);
  }

  return {
    admit: ({ organizationId, code, request, now }) => {
      const key = `${organizationId}/${code.id}`;
      const known = codes.get(key);
      if (known !== undefined) {
        if (known.requests.has(request)) return true;
        if (known.requests.size >= otpLimits.triesPerCode) return false;
        known.requests.add(request);
        return true;
      }
      makeRoom(now);
      if (codes.size >= maximum) return false;
      codes.set(key, { expiresAtMs: code.expiresAtMs, requests: new Set([request]) });
      return true;
    },
  };
}
