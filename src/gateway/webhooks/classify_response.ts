// Interprets a receiver's response to a delivery.

import type { OutboundAnswer, OutboundFailure } from '../outbound/request.ts';

export type ResponseClass = {
  /** `later`: try again. `failed`: give up. */
  readonly result: 'delivered' | 'failed' | 'later';
  /** A word for the log of attempts. */
  readonly outcome: string;
  readonly status: number | undefined;
  /** The time that the receiver asked to wait. */
  readonly retryAfterMs?: number;
};

const secondMs = 1_000;
const longestRetryAfterMs = 24 * 60 * 60 * secondMs;

/**
 * Returns the outcome of a response. 2xx is a delivery. 3xx and 4xx are final, because redirects are not
 * followed; 429 can be made an exception. All other outcomes (5xx, timeout, no connection, invalid HTTP) are
 * temporary.
 */
export function classifyResponse(
  answer: OutboundAnswer | OutboundFailure,
  rules: { readonly retriesTooManyRequests: boolean },
  now: number,
): ResponseClass {
  if ('failure' in answer) return { result: 'later', outcome: answer.failure, status: undefined };
  const { status } = answer;
  if (status >= 200 && status < 300) return { result: 'delivered', outcome: 'delivered', status };
  if (status === 429 && rules.retriesTooManyRequests) {
    const retryAfterMs = retryAfterOf(answer.headers['retry-after'], now);
    return {
      result: 'later',
      outcome: 'too_many_requests',
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  if (status >= 300 && status < 500) {
    return { result: 'failed', outcome: status < 400 ? 'redirected' : 'rejected', status };
  }
  return { result: 'later', outcome: 'server_error', status };
}

/** Parses seconds or a date (RFC 9110 section 10.2.3); undefined for other texts. */
function retryAfterOf(
  value: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * secondMs : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, secondMs), longestRetryAfterMs) : undefined;
}
