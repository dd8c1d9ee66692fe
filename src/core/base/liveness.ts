// The bounds of the age of requests, for the settings and for the enclave. The gateway passes the settings of
// a start, and an attacker who owns it may withhold activities and repeat their requests.

/** Bounds of the age of a request, in milliseconds. */
export type Liveness = { readonly maximumAgeMs: number; readonly maximumAheadMs: number };

/** Largest value of both bounds. */
export const maximumLivenessMs = 24 * 60 * 60 * 1000;
