// Counts tries of one-time codes in the memory of the running enclave. The row of a code counts tries too,
// but only if the database commits: without this memory, codes could be guessed behind a database that
// rejects commits.

import { otpLimits } from './otp_limits.ts';

/** Maximum number of remembered codes of all organizations. */
const maximumRememberedCodes = 100_000;
/** Minimum interval between sweeps for expired entries. */
const sweepMs = 1_000;

export type RememberedTries = {
  /**
   * Returns true if a request may try a code, and records the try. A repeated request is the same try;
   * different requests share the tries of a code. When the memory is full, the organization with the most
   * codes loses its oldest entry. A full memory never refuses a try, because many small organizations could
   * then lock a large one out.
   */
  admit(attempt: {
    readonly organizationId: string;
    readonly code: { readonly id: string; readonly expiresAtMs: number; readonly maximum?: number };
    /** The digest of the request's body. */
    readonly request: string;
    readonly now: number;
  }): boolean;
};

type TriedCode = { readonly expiresAtMs: number; readonly requests: Set<string> };

/** Creates an empty memory. */
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

  /** Removes expired entries, and one more entry if the memory is full. */
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
