// Reads the bodies of requests as bytes, with a maximum size.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBody } from '../admission/body_reader.ts';
import type { KnownKeys } from '../admission/known_keys.ts';
import { smallBodyBytes } from '../admission/load_limiter.ts';
import { isDeliveryToInbox } from '../development/routes.ts';
import { authenticationHeadersOf, isStamped } from '../protocol/request_headers.ts';
import type { HttpParts } from './parts.ts';

/** The content type that `begin_request.ts` sets on every request. */
export const typeOfBodies = 'application/octet-stream';

/** Ten times the size of a sign-up with several passkeys. */
const proxyBodyLimitBytes = 64 * 1024;
/** The request is rejected anyway; a small body is read so that the error can be specific. */
const unstampedBodyLimitBytes = smallBodyBytes;

/** Reads bodies of every type unchanged: the stamp covers their exact bytes. */
export function readBodies(app: FastifyInstance, { limits, knownKeys }: HttpParts): void {
  app.removeAllContentTypeParsers();
  // Without the exact type, Fastify would parse the content type again for each request.
  app.addContentTypeParser(['*', typeOfBodies], (request, message, parsed) => {
    const { account } = request.usage;
    if (mayBeLarge(request) && !isOfKnownKey(request, knownKeys)) account.takeFromStrangers();
    const limitBytes = bodyLimitOf(request, limits.bodyLimitBytes);
    readBody(message, { limitBytes, account, pace: limits }, (error, body) => {
      request.usage.isCutOff = error !== null;
      parsed(error, body);
    });
  });
}

/** Returns true unless the headers announce a small body. */
function mayBeLarge({ headers }: FastifyRequest): boolean {
  const announced = headers['content-length'];
  return announced === undefined || Number(announced) > smallBodyBytes;
}

/** Returns true if the enclave recently authenticated the request's key. Deliveries carry no key. */
function isOfKnownKey(request: FastifyRequest, knownKeys: KnownKeys): boolean {
  if (isDeliveryToInbox(request)) return true;
  return knownKeys.has(request.usage.source, authenticationHeadersOf(request.raw.rawHeaders));
}

/** Returns the maximum body size of a request, which is smaller without a stamp. */
function bodyLimitOf(request: FastifyRequest, limitBytes: number): number {
  const { kind } = request.record;
  if (isDeliveryToInbox(request)) return limitBytes;
  if (kind === 'proxy') return Math.min(limitBytes, proxyBodyLimitBytes);
  const isCall = kind === 'submit' || kind === 'query';
  return isCall && isStamped(request.raw.rawHeaders)
    ? limitBytes
    : Math.min(limitBytes, unstampedBodyLimitBytes);
}
