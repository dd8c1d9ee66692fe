// Tries of one-time codes as the running enclave remembers them. The row of a code counts them too, but
// only where a commit is durable: a database that takes none could look on while codes are guessed.

import { otpLimits } from './otp_limits.ts';

/** Codes that are remembered, of all organizations together. */
const maximumRememberedCodes = 100_000;
/** Minimum interval between sweeps for expired entries. */
const sweepMs = 1_000;

export type RememberedTries = {
  /**
   * Returns true if a request may try a code, and records the attempt. The same request repeated is the same
   * attempt; other requests share the attempts that a code allows. Without room, the organization with the
   * most codes loses its oldest. Attempts are never refused for lack of room, because many small
   * organizations could then lock a large one out.
   */
  admit(attempt: {
    readonly organizationId: string;
    readonly code: { readonly id: string; readonly expiresAtMs: number; readonly maximum?: number };
    /** The digest of its body. */
    readonly request: string;
    readonly now: number;
  }): boolean;
};

type TriedCode = { readonly expiresAtMs: number; readonly requests: Set<string> };

/** A memory of its own, empty. */
export function createRememberedTries(maximum = maximumRememberedCodes): RememberedTries {
  /** The codes of each organization by their ids, oldest try first. */
  const organizations = new Map<string, Map<string, TriedCode>>();
  let count = 0;
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  function forget(organizationId: string, codeId: string): void {
    const codes = organizations.get(organizationId);
    if (codes?.delete(codeId) !== true) return;
    count -= 1;
    if (codes.size === 0) organizations.delete(organizationId);
  }

  function forgetExpired(now: number): void {
    const sinceMs = now - sweptAtMs;
    if (sinceMs >= 0 && sinceMs < sweepMs) return;
    sweptAtMs = now;
    for (const [organizationId, codes] of organizations) {
      for (const [id, { expiresAtMs }] of codes) if (expiresAtMs <= now) forget(organizationId, id);
    }
  }

  /** Leaves room for a further code of an organization. */
  function makeRoom(organizationId: string, now: number): void {
    if (count < maximum) return;
    forgetExpired(now);
    if (count < maximum) return;
    let largest = organizationId;
    let most = organizations.get(organizationId)?.size ?? 0;
    for (const [id, { size }] of organizations) if (size > most) [largest, most] = [id, size];
    const [oldest] = organizations.get(largest)?.keys() ?? [];
    if (oldest !== undefined) forget(largest, oldest);
  }

  return {
    admit: ({ organizationId, code, request, now }) => {
      const known = organizations.get(organizationId)?.get(code.id);
      if (known !== undefined) {
        if (known.requests.has(request)) return true;
        if (known.requests.size >= (code.maximum ?? otpLimits.triesPerCode)) return false;
        known.requests.add(request);
        return true;
      }
      makeRoom(organizationId, now);
      const codes = organizations.getOrInsertComputed(organizationId, () => new Map());
      codes.set(code.id, { expiresAtMs: code.expiresAtMs, requests: new Set([request]) });
      count += 1;
      return true;
    },
  };
}
