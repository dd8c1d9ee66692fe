// Answers as bytes of JSON.

import { Buffer } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../core/errors/errors.ts';
import { renderError } from '../../core/views/render_error.ts';
import type { Budget } from '../admission/buckets.ts';
import { RateLimitedError } from '../admission/rate_limit.ts';
import { budgetHeaders, jsonType, refusalHeaders } from './answer_headers.ts';

/** Returns the error for the caller: known errors unchanged, all others as `internal`. */
export function refusalOf(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) {
    return error.code === 'internal'
      ? new ServiceError('internal', { supportId: requestId })
      : error;
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    if (error.statusCode < 500) {
      return new ServiceError('body_malformed', { reason: 'it does not match its headers' });
    }
  }
  return new ServiceError('internal', { supportId: requestId });
}

/** Adds the headers of a budget, unless the headers show a budget that is closer to its end. */
export function showBudget(reply: FastifyReply, budget: Budget | undefined): void {
  if (budget === undefined) return;
  const shown = Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY);
  if (budget.remaining <= shown) reply.headers(budgetHeaders([budget]));
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimitedError) showBudget(reply, error.budget);
  reply.headers(refusalHeaders(error, reply.request));
  const { status, body } = renderError(error);
  return sendJson(reply, status, body);
}

export function sendJson(reply: FastifyReply, status: number, body: Uint8Array): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
  reply.code(status).header('content-type', jsonType);
  if (Buffer.isBuffer(body)) return reply.send(body);
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

export function bytesOfJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
