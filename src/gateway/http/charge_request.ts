import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../core/errors/errors.ts';
import { chargeSource, RateLimitedError, type Source } from '../admission/rate_limit.ts';
import { showBudget } from '../protocol/answers.ts';
import { arrivalOf } from '../protocol/arrival.ts';
import { callIn, probes } from '../protocol/paths.ts';
import type { HttpParts } from './parts.ts';

/** Charges the source of a request. Returns the error if the source has no requests left. */
export function chargeRequest(
  { rateLimits, sourceOf }: Pick<HttpParts, 'rateLimits' | 'sourceOf'>,
  request: FastifyRequest,
  reply: FastifyReply,
  sender: Source,
): ServiceError | undefined {
  try {
    if (isProbe(request)) {
      rateLimits?.chargeProbe(sender);
      return undefined;
    }
    const { call } = arrivalOf(request.raw, sourceOf);
    const isProxyCall = callIn(request, call).kind === 'proxy' && request.method === 'POST';
    for (const budget of chargeSource(rateLimits, sender, isProxyCall)) {
      showBudget(reply, budget);
    }
    return undefined;
  } catch (error) {
    if (error instanceof RateLimitedError) return error;
    throw error;
  }
}

/** Returns true for a health probe, which is never rejected because of other requests' load. */
export function isProbe({ method, route = '' }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && probes.includes(route);
}
