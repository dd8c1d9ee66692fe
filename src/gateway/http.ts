// The HTTP side of the API. It knows bytes, headers and limits; what a request means is decided in
// the enclave.

import { Buffer } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { wantsTimestampObjects } from '../core/base/compatibility.ts';
import { fail, ServiceError } from '../core/errors/errors.ts';
import { renderError } from '../core/views/render_error.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import { createClientErrors } from './client_error.ts';
import { type Admission, createAdmission } from './load_limiter.ts';
import type { Log } from './log.ts';
import { type DevelopmentInbox, mayReadInbox } from './messages/development_inbox.ts';
import type { Metrics } from './metrics.ts';
import { portOf } from './metrics.ts';
import {
  callIn,
  callOf,
  calls,
  discoveryDocuments,
  type HttpPart,
  inboxPath,
  methodsOf,
  pathOf,
  shownPath,
  webhookKeySetPath,
} from './paths.ts';
import {
  addressOf,
  type Budget,
  RateLimitedError,
  type RateLimits,
  type Source,
} from './rate_limit.ts';
import {
  authenticationHeadersOf,
  isForwarded,
  preflightHeaders,
  proxyHeadersOf,
  proxyPreflightHeaders,
  requestIdOf,
  submitStyleOf,
} from './request_headers.ts';
import { closeWithin, endUnlessTaken } from './timeouts.ts';

type EnclaveRequest = RequestOf<EnclaveMessages['request']>;
type EnclaveAnswer = AnswerOf<EnclaveMessages['request']>;
type Discovery = AnswerOf<EnclaveMessages['discovery']>;

export type HttpOptions = {
  /** Asks the enclave. */
  readonly ask: (request: EnclaveRequest) => Promise<EnclaveAnswer>;
  /** Why the service is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
  /** What the enclave says of the service itself: JSON, the same from start to end. */
  readonly discovery: Discovery;
  /** The key set (JWKS) of webhooks, as JSON. */
  readonly webhookKeySet: () => Promise<Uint8Array>;
  /** What `GET /dev/inbox` shows; absent: there is no such path. */
  readonly inbox?: Pick<DevelopmentInbox, 'read' | 'token'> | undefined;
  /** The OpenAPI document for the server's own address. */
  readonly openApi: () => Promise<object>;
  /** What is served here besides the probes; absent: all of it. */
  readonly serves?: readonly HttpPart[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Shared by servers that take from the same memory; absent: one of its own. */
  readonly admission?: Admission;
  /** Absent: nothing is limited by its source or organization. */
  readonly rateLimits?: RateLimits;
  readonly limits: {
    readonly bodyLimitBytes: number;
    readonly bodyMemoryBytes: number;
    readonly inFlightMaximum: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly trustedProxies: number;
  };
};

export type HttpServer = {
  /** Gives the port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Refuses new requests, waits for those in flight, and after the given time ends them. */
  drain(timeoutMs: number): Promise<void>;
};

/** A server that does not listen yet. */
export function createHttp(options: HttpOptions): HttpServer {
  const { ask, log, metrics, limits, rateLimits, serves = ['api', 'proxy'] } = options;
  const admission = options.admission ?? createAdmission(limits);
  const operations = createOperationNames();
  const clientErrors = createClientErrors();
  let isDraining = false;
  let document: Buffer | undefined;

  const app = fastify({
    bodyLimit: limits.bodyLimitBytes,
    requestTimeout: limits.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: clientErrors.answer,
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(
        reply,
        new ServiceError('operation_unknown', { operation: shownPath(request.url) }),
      );
    },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
      // Without this, Node itself would answer a request without Host, with an empty body.
      requireHostHeader: false,
    },
  });
  app.server.maxConnections = maximumConnections;
  // An expectation that is not understood may be ignored (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });

  // The stamp covers the exact bytes of the body, whatever it is said to be.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body);
  });

  app.decorateRequest('record');
  app.addHook('onRequest', (request, reply, next) => {
    const { style, operation } = callIn(request);
    request.record = { style, operation, startMs: performance.now(), outcome: {} };
    reply.header('x-request-id', request.id);
    // The inbox is for nobody's page.
    const isInbox = [request.routeOptions.url, pathOf(request.url)].includes(inboxPath);
    if (!isInbox) reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', exposedHeaders);
    // What a body is said to be must not decide whether it is read.
    request.raw.headers['content-type'] = 'application/octet-stream';
    // Probes are always answered; everything else may bring a body, also where nothing is found.
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const isProbe = isReading && request.url.startsWith('/health/');
    const leave = isProbe || isDraining ? undefined : admission.enter(contentLengthOf(request));
    metrics.requestStarted();
    clientErrors.expect(reply.raw);
    reply.raw.once('close', () => {
      leave?.();
      finished(request, reply);
    });
    if (!isProbe) {
      const source = sourceIn(request);
      showBudget(reply, rateLimits?.chargeSource(source));
      const isCall = style === 'proxy' && request.method === 'POST';
      if (isCall) showBudget(reply, rateLimits?.chargeProxySource(source));
    }
    if (isProbe || leave !== undefined) next();
    else next(new ServiceError(isDraining ? 'draining' : 'overloaded'));
  });

  app.addHook('onSend', (_request, reply, payload, next) => {
    if (isDraining) reply.header('connection', 'close');
    endUnlessTaken(reply.raw, payload instanceof Uint8Array ? payload.length : 0, limits);
    next();
  });

  const finished = (request: FastifyRequest, reply: FastifyReply): void => {
    const { style, startMs, outcome } = request.record;
    const durationMs = performance.now() - startMs;
    // A caller that went away was answered nothing: 499, as proxies log it.
    const status = reply.raw.writableFinished ? reply.statusCode : 499;
    const operation = operations.label(request.record.operation);
    metrics.requestFinished({ style, operation, status, durationMs });
    if (style === 'other' && status < 400) return;
    log('info', 'request', {
      requestId: request.id,
      style,
      operation,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      ...outcome,
    });
  };

  for (const { style, route, part } of calls.filter((call) => serves.includes(call.part))) {
    app.post<{ Params: { operation: string } }>(route, async (request, reply) => {
      const { operation } = request.params;
      const isApi = part === 'api';
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
      const named = isApi ? rateLimits?.checkOrganization(body) : undefined;
      const tried = request.headers['dry-run'];
      const headersOf = isApi ? authenticationHeadersOf : proxyHeadersOf;
      const answer = await ask({
        requestId: request.id,
        style: style === 'submit' ? submitStyleOf(tried) : style,
        operation,
        headers: headersOf(request.raw.rawHeaders),
        timestampObjects: wantsTimestampObjects({
          clientVersion: singleHeader(request, 'x-client-version'),
          userAgent: singleHeader(request, 'user-agent'),
        }),
        remoteAddress: addressOf(sourceIn(request), limits.trustedProxies),
        body,
      });
      const { organizationId } = answer;
      // Strangers at the proxy do not spend what is the organization's.
      const charged =
        organizationId === undefined || !isApi
          ? named
          : rateLimits?.chargeOrganization(organizationId);
      showBudget(reply, charged);
      if (!isApi) letPageRead(reply, answer);
      if (answer.errorCode !== 'operation_unknown') operations.learn(operation);
      request.record.outcome = outcomeOf(answer);
      return sendJson(reply, answer.status, answer.body);
    });
  }

  app.get('/health/live', (_request, reply) => sendJson(reply, 200, bytesOfJson({ status: 'ok' })));
  app.get('/health/ready', (_request, reply) => {
    const reasons = options.notReady();
    return reasons.length === 0
      ? sendJson(reply, 200, bytesOfJson({ status: 'ready' }))
      : sendJson(reply, 503, bytesOfJson({ status: 'not ready', reasons }));
  });
  if (serves.includes('api')) {
    app.get('/openapi.json', async (_request, reply) => {
      document ??= bytesOfJson(await options.openApi());
      return sendJson(reply, 200, document);
    });
    app.get(webhookKeySetPath, async (_request, reply) => {
      const keySet = await options.webhookKeySet();
      reply.header('cache-control', keySetCaching);
      return sendJson(reply, 200, keySet);
    });
    for (const [path, name] of Object.entries(discoveryDocuments)) {
      app.get(path, (_request, reply) => {
        reply.header('cache-control', keySetCaching);
        return sendJson(reply, 200, options.discovery[name]);
      });
    }
  }

  const inbox = serves.includes('api') ? options.inbox : undefined;
  if (inbox !== undefined) {
    app.get(inboxPath, (request, reply) => {
      const { host, origin } = request.headers;
      const secFetchSite = singleHeader(request, 'sec-fetch-site');
      const token = new URLSearchParams(request.url.split('?')[1]).get('token');
      if (
        isForwarded(request.headers) ||
        !mayReadInbox(inbox, { token, host, origin, secFetchSite })
      ) {
        fail('operation_unknown', { operation: inboxPath });
      }
      reply.header('cache-control', 'no-store');
      return sendJson(reply, 200, bytesOfJson(inbox.read()));
    });
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = methodsOf(path, serves);
    if (allowed === undefined) fail('operation_unknown', { operation: shownPath(request.url) });
    if (request.method === 'OPTIONS') {
      return reply
        .code(204)
        .headers({
          allow: allowed,
          ...(callOf(path).part === 'proxy' ? proxyPreflightHeaders : preflightHeaders),
        })
        .send();
    }
    reply.header('allow', allowed);
    return fail('method_not_allowed', { method: request.method, allowed });
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.id, limits.bodyLimitBytes);
    request.record.outcome = { errorCode: refusal.code };
    if (refusal.code === 'internal' && !(error instanceof ServiceError)) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', 'a request failed', { requestId: request.id, detail });
    }
    return sendError(reply, refusal);
  });

  return {
    listen: async ({ host, port }) => {
      await app.listen({ host, port });
      return portOf(app.server.address());
    },
    drain: async (timeoutMs) => {
      isDraining = true;
      await closeWithin(app.server, () => app.close(), timeoutMs);
    },
  };
}

/** Shorter than the time for which a key is published before it signs. */
const keySetCaching = 'public, max-age=3600, stale-if-error=86400';
const maximumConnections = 10_000;
const exposedHeaders = 'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, Retry-After';

/** For the log and the numbers: which request this is, and what became of it. */
type RequestRecord = {
  readonly style: string;
  readonly operation: string;
  readonly startMs: number;
  outcome: Outcome;
};
type Outcome = {
  readonly activityId?: string;
  readonly organizationId?: string;
  readonly errorCode?: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

function outcomeOf({ activityId, organizationId, errorCode }: EnclaveAnswer): Outcome {
  return {
    ...(activityId === undefined ? {} : { activityId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/**
 * The names that may label a line or a number. A name is known once the enclave has answered it as
 * an operation, so what callers invent never gets here.
 */
function createOperationNames(): { learn(name: string): void; label(name: string): string } {
  const known = new Set<string>();
  const maximumNames = 1_024;
  return {
    learn: (name) => {
      if (known.size < maximumNames) known.add(name);
    },
    label: (name) => (known.has(name) ? name : 'unknown'),
  };
}

/** Where a request came from. */
function sourceIn(request: FastifyRequest): Source {
  const forwardedFor = request.headers['x-forwarded-for'];
  return { remoteAddress: request.socket.remoteAddress, forwardedFor };
}

/** A page reads what it asked for itself; one that may not ask is not even told why. */
function letPageRead(reply: FastifyReply, { allowedOrigin, errorCode }: EnclaveAnswer): void {
  const header = 'access-control-allow-origin';
  reply.header('vary', 'origin');
  if (allowedOrigin !== undefined) reply.header(header, allowedOrigin);
  if (errorCode === 'proxy_origin_not_allowed') reply.removeHeader(header);
}

function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The announced length; undefined where the body comes in chunks of unknown number. */
function contentLengthOf({ headers }: FastifyRequest): string | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return headers['content-length'] ?? '0';
}

/** What a caller is told of an error: refusals as they are, anything unforeseen as `internal`. */
function refusalOf(error: unknown, requestId: string, bodyLimitBytes: number): ServiceError {
  if (error instanceof ServiceError) {
    return error.code === 'internal'
      ? new ServiceError('internal', { supportId: requestId })
      : error;
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    if (error.statusCode === 413) {
      return new ServiceError('body_too_large', { limitBytes: bodyLimitBytes });
    }
    if (error.statusCode < 500) {
      return new ServiceError('body_malformed', { reason: 'it is not as its headers announce it' });
    }
  }
  return new ServiceError('internal', { supportId: requestId });
}

/** Of two limits that are on, the one that is nearer is shown. */
function showBudget(reply: FastifyReply, budget: Budget | undefined): void {
  if (budget === undefined) return;
  const shown = Number(reply.getHeader('ratelimit-remaining') ?? Number.POSITIVE_INFINITY);
  if (budget.remaining > shown) return;
  reply.header('ratelimit-limit', String(budget.limit));
  reply.header('ratelimit-remaining', String(budget.remaining));
}

function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimitedError) {
    showBudget(reply, error.budget);
    reply.header('retry-after', String(error.retryAfterSeconds));
  }
  const { status, body } = renderError(error);
  return sendJson(reply, status, body);
}

function sendJson(reply: FastifyReply, status: number, body: Uint8Array): FastifyReply {
  if (status === 503) reply.header('retry-after', '1');
  // Exactly this value: a client compares all of it.
  reply.code(status).header('content-type', 'application/json');
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

function bytesOfJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
