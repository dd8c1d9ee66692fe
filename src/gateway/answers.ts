// Answers as bytes of JSON, and the headers that tell a client when to come again.

import { Buffer } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../core/errors/errors.ts';
import { renderError } from '../core/views/render_error.ts';
import { OverloadedError } from './load_limiter.ts';
import { type Budget, RateLimitedError } from './rate_limit.ts';

/** What a caller is told of an error: refusals as they are, anything unforeseen as `internal`. */
export function refusalOf(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) {
    return error.code === 'internal'
      ? new ServiceError('internal', { supportId: requestId })
      : error;
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    if (error.statusCode < 500) {
      return new ServiceError('body_malformed', { reason: 'it is not as its headers announce it' });
    }
  }
  return new ServiceError('internal', { supportId: requestId });
}

/** Of two limits that are on, the one that is nearer is shown. */
export function showBudget(reply: FastifyReply, budget: Budget | undefined): void {
  if (budget === undefined) return;
  const shown = Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY);
  if (budget.remaining > shown) return;
  reply.header('ratelimit-limit', String(budget.limit));
  reply.header('ratelimit-remaining', String(budget.remaining));
}

/** Shows whose requests were counted as the service sees it: by its connection and by its proxies. */
function showSource(reply: FastifyReply): void {
  const { socket, headers } = reply.request;
  const forwardedFor = headers['x-forwarded-for'];
  reply.header('x-rate-limit-request-remote-addr', socket.remoteAddress ?? '');
  reply.header('x-rate-limit-request-forwarded-for', String(forwardedFor ?? ''));
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimitedError) {
    showBudget(reply, error.budget);
    showSource(reply);
  }
  if (error instanceof RateLimitedError || error instanceof OverloadedError) {
    reply.header('retry-after', String(error.retryAfterSeconds));
  }
  const { status, body } = renderError(error);
  return sendJson(reply, status, body);
}

export function sendJson(reply: FastifyReply, status: number, body: Uint8Array): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
  // Exactly this value: a client compares all of it.
  reply.code(status).header('content-type', 'application/json');
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

export function bytesOfJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
