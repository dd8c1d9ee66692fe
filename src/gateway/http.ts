// The HTTP side of the API. It knows bytes, headers and limits; what a request means is decided in
// the enclave.

import type { Buffer } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { wantsTimestampObjects } from '../core/base/compatibility.ts';
import { fail, ServiceError } from '../core/errors/errors.ts';
import { unknownOperation } from '../core/errors/unknown_operation.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import { bytesOfJson, refusalOf, sendError, sendJson, showBudget } from './answers.ts';
import { type BodyPace, readBody } from './body_reader.ts';
import { createClientErrors } from './client_error.ts';
import { type ConnectionLimits, type Connections, createConnections } from './connections.ts';
import { type Development, developmentHeader } from './development/development.ts';
import { addDevelopmentRoutes, isDeliveryToInbox, isForDeveloper } from './development/routes.ts';
import type { HeldRequests } from './held_requests.ts';
import {
  type ByteAccount,
  createLoadLimiter,
  type LoadLimiter,
  type LoadLimits,
  OverloadedError,
  type Work,
} from './load_limiter.ts';
import type { Log } from './log.ts';
import type { DevelopmentInbox } from './messages/development_inbox.ts';
import type { Metrics } from './metrics.ts';
import { healthOf, portOf } from './metrics.ts';
import {
  callIn,
  callOf,
  calls,
  discoveryDocuments,
  type HttpPart,
  methodsOf,
  pathOf,
  probes,
  shownPath,
  webhookKeySetPath,
} from './paths.ts';
import { answerPreferred } from './prefer_wait.ts';
import {
  addressOf,
  RateLimitedError,
  type RateLimits,
  type Source,
  sourceOf,
} from './rate_limit.ts';
import {
  authenticationHeadersOf,
  isForwarded,
  preflightHeaders,
  proxyHeadersOf,
  proxyPreflightHeaders,
  requestIdOf,
  submitKindOf,
} from './request_headers.ts';
import { createRequestLog, outcomeOf } from './request_log.ts';
import { closeWithin, endUnlessTaken } from './timeouts.ts';

type EnclaveRequest = RequestOf<EnclaveMessages['request']>;
type EnclaveAnswer = AnswerOf<EnclaveMessages['request']>;
type Discovery = AnswerOf<EnclaveMessages['discovery']>;

export type HttpOptions = {
  /** Asks the enclave. */
  readonly ask: (request: EnclaveRequest) => Promise<EnclaveAnswer>;
  /** Tells the enclave that the client of a request has disconnected. */
  readonly cancel?: (cancelId: number) => void;
  /** Why the service is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
  /** What the enclave says of the service itself: JSON, the same from start to end. */
  readonly discovery: Discovery;
  /** The key set (JWKS) of webhooks, as JSON. */
  readonly webhookKeySet: () => Promise<Uint8Array>;
  /** What `GET /dev/inbox` shows; absent: there is no such path. */
  readonly inbox?: Pick<DevelopmentInbox, 'read' | 'token'> | undefined;
  /** What development mode adds beside the inbox; absent: the service is not in it. */
  readonly development?: Development | undefined;
  /** The OpenAPI document for the server's own address. */
  readonly openApi: () => Promise<object>;
  /** What is served here besides the probes; absent: all of it. */
  readonly serves?: readonly HttpPart[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Shared by the servers of one process; absent: one of its own. */
  readonly load?: LoadLimiter;
  /** Shared by the servers of one process; absent: one of its own. */
  readonly connections?: Connections;
  /** Shared by the servers of one process; absent: no answer is held for callers who wait. */
  readonly held?: HeldRequests;
  /** Absent: nothing is limited by its source or organization. */
  readonly rateLimits?: RateLimits;
  readonly limits: HttpLimits;
};

export type HttpLimits = LoadLimits &
  ConnectionLimits &
  BodyPace & {
    readonly bodyLimitBytes: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
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
  const now = () => performance.now();
  const load = options.load ?? createLoadLimiter(limits, now);
  const connections = options.connections ?? createConnections(limits, now);
  const requestLog = createRequestLog(log, metrics);
  // Written on every answer, also on those to what is no request.
  const marks = options.development === undefined ? [] : [developmentHeader];
  const markDevelopment = (reply: FastifyReply): void => {
    for (const { name, value } of marks) reply.header(name, value);
  };
  const clientErrors = createClientErrors(marks.map(({ name, value }) => `${name}: ${value}`));
  let isDraining = false;
  let document: Buffer | undefined;

  const app = fastify({
    bodyLimit: limits.bodyLimitBytes,
    requestTimeout: limits.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: clientErrors.answer,
    // A path that cannot be read: no hook sees it, so its source is charged here.
    frameworkErrors: (_error, request, reply) => {
      markDevelopment(reply);
      reply.header('x-request-id', request.id);
      const unknown = unknownOperation(shownPath(request.url));
      sendError(reply, chargeSource(request, reply) ?? unknown);
    },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
      // Without this, Node itself would answer a request without Host, with an empty body.
      requireHostHeader: false,
    },
  });
  app.server.on('connection', (socket) =>
    connections.enter(socket, () => app.server.closeIdleConnections()),
  );
  // An expectation that is not understood may be ignored (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });

  // The stamp covers the exact bytes of the body, whatever it is said to be.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, message, parsed) => {
    const { account } = request.usage;
    const limitBytes = bodyLimitOf(request, limits.bodyLimitBytes);
    readBody(message, { limitBytes, account, pace: limits }, (error, body) => {
      request.usage.isCutOff = error !== null;
      parsed(error, body);
    });
  });

  /** Charges the source of a request; returns the refusal if it has no requests left. */
  const chargeSource = (request: FastifyRequest, reply: FastifyReply): ServiceError | undefined => {
    try {
      const source = sourceIn(request);
      showBudget(reply, rateLimits?.chargeSource(source));
      const isCall = callIn(request).kind === 'proxy' && request.method === 'POST';
      if (isCall) showBudget(reply, rateLimits?.chargeProxySource(source));
      return undefined;
    } catch (error) {
      if (error instanceof RateLimitedError) return error;
      throw error;
    }
  };

  /** Returns why a request is refused before its body is read. */
  const refusedAtOnce = (
    request: FastifyRequest,
    reply: FastifyReply,
  ): ServiceError | undefined => {
    const refusal = chargeSource(request, reply);
    if (refusal !== undefined) return refusal;
    if (isDraining) return new ServiceError('draining');
    if (connections.servesProbesOnly(request.socket)) return new OverloadedError(0);
    return load.refusal(request.usage.source);
  };

  app.decorateRequest('record');
  app.decorateRequest('usage');
  app.addHook('onRequest', (request, reply, next) => {
    const { kind, operation } = callIn(request);
    request.record = { kind, operation, startMs: performance.now(), heldMs: 0, outcome: {} };
    markDevelopment(reply);
    reply.header('x-request-id', request.id);
    // What is below /dev/ is for no page of another origin.
    if (!isForDeveloper(request)) reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', exposedHeaders);
    // What a body is said to be must not decide whether it is read.
    request.raw.headers['content-type'] = 'application/octet-stream';
    const source = sourceOf(sourceIn(request), limits.trustedProxies);
    request.usage = { source, account: load.openAccount(source), work: undefined, isCutOff: false };
    metrics.requestStarted();
    clientErrors.expect(reply.raw);
    reply.raw.once('close', () => {
      request.usage.account.close();
      if (request.usage.work !== undefined) options.cancel?.(request.usage.work.id);
      requestLog.finished(request, reply);
    });
    // Probes are always answered.
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const isProbe = isReading && request.url.startsWith('/health/');
    next(isProbe ? undefined : refusedAtOnce(request, reply));
  });

  app.addHook('onSend', (request, reply, payload, next) => {
    const { usage, socket } = request;
    const isLast = isDraining || usage.isCutOff || connections.servesProbesOnly(socket);
    if (isLast) reply.header('connection', 'close');
    const lengthBytes = payload instanceof Uint8Array ? payload.length : 0;
    usage.account.settle(lengthBytes);
    endUnlessTaken(reply.raw, lengthBytes, limits);
    next();
  });

  /** Does what the enclave is asked for within the bounds of what it does at one time. */
  const asWork = async <T>(request: FastifyRequest, job: (work: Work) => Promise<T>) => {
    // The client may have left while its body was read.
    if (request.socket.destroyed) fail('not_begun');
    const work = load.begin(request.usage.source);
    request.usage.work = work;
    try {
      return await job(work);
    } finally {
      request.usage.work = undefined;
      work.end();
    }
  };

  for (const { kind, route, part } of calls.filter((call) => serves.includes(call.part))) {
    app.post<{ Params: { operation: string } }>(route, async (request, reply) => {
      const { operation } = request.params;
      const isApi = part === 'api';
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
      const source = sourceIn(request);
      const named = isApi ? rateLimits?.checkOrganization(body, source) : undefined;
      const tried = request.headers['dry-run'];
      const headersOf = isApi ? authenticationHeadersOf : proxyHeadersOf;
      const asked = {
        requestId: request.id,
        kind: kind === 'submit' ? submitKindOf(tried) : kind,
        operation,
        headers: headersOf(request.raw.rawHeaders),
        timestampObjects: wantsTimestampObjects({
          clientVersion: singleHeader(request, 'x-client-version'),
          userAgent: singleHeader(request, 'user-agent'),
        }),
        remoteAddress: addressOf(source, limits.trustedProxies),
        body,
      };
      const answer = await answerPreferred(options.held, request, reply, () =>
        asWork(request, ({ id }) =>
          ask({ ...asked, deadlineAtMs: Date.now() + limits.requestDeadlineMs, cancelId: id }),
        ),
      );
      // Strangers at the proxy do not spend what is the organization's.
      const charged =
        answer.organizationId === undefined || !isApi
          ? named
          : rateLimits?.chargeOrganization(answer.organizationId, source);
      showBudget(reply, charged);
      if (!isApi) letPageRead(reply, answer);
      if (answer.errorCode !== 'operation_unknown') requestLog.learn(operation);
      request.record.outcome = outcomeOf(answer);
      return sendJson(reply, answer.status, answer.body);
    });
  }

  for (const path of probes) {
    app.get(path, (_request, reply) => {
      const { status, body } = healthOf(path, options.notReady);
      return sendJson(reply, status, bytesOfJson(body));
    });
  }
  if (serves.includes('api')) {
    app.get('/openapi.json', async (_request, reply) => {
      document ??= bytesOfJson(await options.openApi());
      return sendJson(reply, 200, document);
    });
    app.get(webhookKeySetPath, async (request, reply) => {
      const keySet = await asWork(request, options.webhookKeySet);
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

  const { inbox, development, webhookKeySet } = options;
  if (serves.includes('api') && inbox !== undefined) {
    addDevelopmentRoutes(app, { inbox, development, webhookKeySet });
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = methodsOf(path, serves);
    if (allowed === undefined) throw unknownOperation(shownPath(request.url));
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
    const refusal = refusalOf(error, request.id);
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
      options.held?.close();
      await closeWithin(app.server, () => app.close(), timeoutMs);
    },
  };
}

/** Shorter than the time for which a key is published before it signs. */
const keySetCaching = 'public, max-age=3600, stale-if-error=86400';
/** A sign-up with several passkeys takes a tenth. */
const proxyBodyLimitBytes = 64 * 1024;
/** Such a request is refused in any case; the text that says why is worth a small body. */
const unstampedBodyLimitBytes = 8 * 1024;
const exposedHeaders =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, Retry-After, Preference-Applied';

/** What a request takes while it is served. */
type Usage = {
  readonly source: string;
  readonly account: ByteAccount;
  /** The request is with the enclave. */
  work: Work | undefined;
  /** The rest of its body is not read. */
  isCutOff: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    usage: Usage;
  }
}

/** Where a request came from. */
function sourceIn(request: FastifyRequest): Source {
  const forwardedFor = request.headers['x-forwarded-for'];
  const { remoteAddress } = request.socket;
  return { remoteAddress, forwardedFor, isForwarded: isForwarded(request.headers) };
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

/** Returns how large the body of a request may be: a stranger needs less than who has a stamp. */
function bodyLimitOf(request: FastifyRequest, limitBytes: number): number {
  const { kind } = request.record;
  if (isDeliveryToInbox(request)) return limitBytes;
  if (kind === 'proxy') return Math.min(limitBytes, proxyBodyLimitBytes);
  const isCall = kind === 'submit' || kind === 'query';
  const isStamped = authenticationHeadersOf(request.raw.rawHeaders).length > 0;
  return isCall && isStamped ? limitBytes : Math.min(limitBytes, unstampedBodyLimitBytes);
}
