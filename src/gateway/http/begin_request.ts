// The first step of every request: its record, the headers of its answer, and its resources.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors/errors.ts';
import { type ByteAccount, OverloadedError, type Work } from '../admission/load_limiter.ts';
import type { Source } from '../admission/rate_limit.ts';
import { asksToWait } from '../admission/refusal_pace.ts';
import { isForDashboard } from '../dashboard/routes.ts';
import { isForDeveloper } from '../development/routes.ts';
import { isForFrames } from '../frames/routes.ts';
import {
  anyOriginHeaders,
  identifyingHeaders,
  ownOriginHeaders,
} from '../protocol/answer_headers.ts';
import { arrivalOf } from '../protocol/arrival.ts';
import { callIn } from '../protocol/paths.ts';
import { typeOfBodies } from './bodies.ts';
import { chargeRequest, isProbe } from './charge_request.ts';
import type { HttpParts } from './parts.ts';
import { beginRecord } from './request_trace.ts';
import { hasUnknownCoding } from './transfer_codings.ts';

/** The resources of a request while it is served. */
type Usage = {
  /** Sender of the request, and the source that it is charged to. */
  readonly sender: Source;
  readonly source: string;
  readonly account: ByteAccount;
  /** Set while the enclave handles the request. */
  work: Work | undefined;
  /** True if the rest of its body is not read. */
  isCutOff: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The route path with parameter names, read once because the framework creates an object at each read.
     */
    route: string | undefined;
    usage: Usage;
  }
}

/** Begins each request before its body is read, or rejects it. */
export function beginRequests(app: FastifyInstance, parts: HttpParts): void {
  const { load, metrics, clientErrors, marks, tracing } = parts;
  app.decorateRequest('route');
  app.decorateRequest('record');
  app.decorateRequest('usage');
  app.addHook('onRequest', (request, reply, next) => {
    request.route = request.routeOptions.url;
    const { call, sender, source } = arrivalOf(request.raw, parts.sourceOf);
    request.record = beginRecord(callIn(request, call), request, tracing);
    reply.headers(identifyingHeaders(request.id, marks));
    // Pages of other origins must not read anything below /dev/, /dashboard/ and /frames/.
    const isForOwnPages =
      call.part === undefined &&
      (isForDeveloper(request) || isForDashboard(request) || isForFrames(request));
    reply.headers(isForOwnPages ? ownOriginHeaders : anyOriginHeaders);
    // The declared content type must not determine whether the body is read.
    request.raw.headers['content-type'] = typeOfBodies;
    const account = load.openAccount(source);
    request.usage = { sender, source, account, work: undefined, isCutOff: false };
    metrics.requestStarted();
    clientErrors.expect(reply.raw);
    reply.raw.once('close', () => endRequest(parts, request, reply));
    next(refusedAtOnce(parts, request, reply));
  });
}

/**
 * Releases the resources of a request and logs it, once its answer is complete or its client has
 * disconnected.
 */
function endRequest(
  { cancel, requestLog, refusalPace }: HttpParts,
  { id, usage, record, raw: request }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
): void {
  usage.account.close();
  if (usage.work !== undefined) cancel?.(usage.work.id);
  const status = raw.writableFinished ? statusCode : undefined;
  requestLog.finished({ requestId: id, source: usage.source, status, record });
  if (asksToWait(status)) refusalPace.refused(usage.source, request);
}

/** Returns the error of a request that is rejected before its body is read. */
function refusedAtOnce(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
): ServiceError | undefined {
  if (hasUnknownCoding(request.raw)) {
    request.usage.isCutOff = true;
    return new ServiceError('transfer_coding_unsupported');
  }
  const refusal = chargeRequest(parts, request, reply, request.usage.sender);
  if (refusal !== undefined || isProbe(request)) return refusal;
  if (parts.phase.isDraining) return new ServiceError('draining');
  if (parts.connections.servesProbesOnly(request.socket))
    return new OverloadedError(0, 'connections');
  return parts.load.refusal(request.usage.source);
}
