// Headers of answers. The web framework and the early refusal share them, so that a caller cannot distinguish
// the two.

import type { IncomingMessage } from 'node:http';
import type { Budget } from '../admission/buckets.ts';
import { OverloadedError } from '../admission/load_limiter.ts';
import { RateLimitedError } from '../admission/rate_limit.ts';
import { exposedHeaders } from './request_headers.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** The content type of every JSON answer. Clients compare the exact value. */
export const jsonType = 'application/json';

/** Returns the headers of every answer to a request. `marks` are those of the whole server. */
export function identifyingHeaders(requestId: string, marks: AnswerHeaders): AnswerHeaders {
  return { ...marks, 'x-request-id': requestId };
}

/** Additional headers of API answers, which pages of any origin may read. */
export const anyOriginHeaders: AnswerHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
};

/** Headers of an answer that only pages of the service itself read. */
export const ownOriginHeaders: AnswerHeaders = {
  'access-control-expose-headers': exposedHeaders,
};

/** Returns the headers of the budget closest to its end; no headers without budgets. */
export function budgetHeaders(budgets: readonly Budget[]): AnswerHeaders {
  const [nearest] = budgets.toSorted((a, b) => a.remaining - b.remaining);
  if (nearest === undefined) return {};
  return {
    'ratelimit-limit': String(nearest.limit),
    'ratelimit-remaining': String(nearest.remaining),
  };
}

/** Returns the headers of a refusal: the time to retry, and the counted source or organization. */
export function refusalHeaders(
  refusal: Error,
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
): AnswerHeaders {
  const isRateLimited = refusal instanceof RateLimitedError;
  if (!isRateLimited && !(refusal instanceof OverloadedError)) return {};
  return {
    ...(isRateLimited ? countedSourceHeaders(request) : {}),
    'retry-after': String(refusal.retryAfterSeconds),
  };
}

/** Reports how the service identifies the counted source: by its connection and by its proxies. */
function countedSourceHeaders({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers' | 'socket'>): AnswerHeaders {
  const forwardedFor = headers['x-forwarded-for'];
  return {
    'x-rate-limit-request-remote-addr': socket.remoteAddress ?? '',
    'x-rate-limit-request-forwarded-for': String(forwardedFor ?? ''),
  };
}
