// Rejects a call before the web framework sees it if it cannot begin now. An overloaded service rejects many
// calls for each call that it serves, so the cost of a rejection limits the service.

import { Buffer } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { renderError } from '../../core/views/render_error.ts';
import type { Budget } from '../admission/buckets.ts';
import type { LoadLimiter, OverloadedError } from '../admission/load_limiter.ts';
import { RateLimitedError, type Source } from '../admission/rate_limit.ts';
import type { RefusalPace } from '../admission/refusal_pace.ts';
import { endUnlessTaken, type Pace } from '../admission/timeouts.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  type AnswerHeaders,
  anyOriginHeaders,
  budgetHeaders,
  identifyingHeaders,
  jsonType,
  refusalHeaders,
} from '../protocol/answer_headers.ts';
import { arrivalOf } from '../protocol/arrival.ts';
import type { HttpPart } from '../protocol/paths.ts';
import { requestIdOf } from '../protocol/request_headers.ts';
import type { RequestLog } from './request_log.ts';

type EarlyRefusalOptions = {
  readonly serves: readonly HttpPart[];
  readonly load: Pick<LoadLimiter, 'refusal'>;
  readonly metrics: Pick<Metrics, 'requestStarted' | 'admissionRefused'>;
  readonly requestLog: Pick<RequestLog, 'finished'>;
  readonly refusalPace: RefusalPace;
  /** Charges the source of a call. Raises `rate_limited`. */
  readonly charge: (source: Source, part: HttpPart) => readonly Budget[];
  /** Returns true if neither the server nor the connection of a request is closing. */
  readonly isServing: (request: IncomingMessage) => boolean;
  /** Headers of every answer. */
  readonly marks: AnswerHeaders;
  readonly limits: Pace;
  readonly sourceOf: (source: Source) => string;
};

/** Lets a server reject calls early while it is overloaded. Its listeners get all other requests. */
export function refuseEarly(server: Server, options: EarlyRefusalOptions): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST' && options.isServing(request)) {
      if (refuse(request, response, options)) return;
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** Rejects a call if it cannot begin now; returns true if it did. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  options: EarlyRefusalOptions,
): boolean {
  const { call, source } = arrivalOf(request, options.sourceOf);
  if (call.part === undefined || !options.serves.includes(call.part)) return false;
  const overloaded = options.load.refusal(source);
  if (overloaded === undefined) return false;
  answerOverloaded(request, response, overloaded, options);
  return true;
}

/** Answers a call with an overload error, and charges its source. */
export function answerOverloaded(
  request: IncomingMessage,
  response: ServerResponse,
  overloaded: OverloadedError,
  options: EarlyRefusalOptions,
): void {
  const { call, sender, source } = arrivalOf(request, options.sourceOf);
  const { kind, operation, part = 'api' } = call;
  const startMs = performance.now();
  const requestId = requestIdOf(request.headers['x-request-id']);
  options.metrics.requestStarted();
  const { refusal, budgets } = chargedRefusal(overloaded, () => options.charge(sender, part));
  if (refusal === overloaded) options.metrics.admissionRefused(overloaded.reason);
  const { status, body } = renderedOnce(refusal);
  response.once('close', () => {
    options.requestLog.finished({
      requestId,
      source,
      status: response.writableFinished ? status : undefined,
      record: { kind, operation, startMs, heldMs: 0, outcome: { errorCode: refusal.code } },
    });
    options.refusalPace.refused(source, request);
  });
  response.writeHead(status, {
    ...identifyingHeaders(requestId, options.marks),
    ...anyOriginHeaders,
    ...budgetHeaders(budgets),
    ...refusalHeaders(refusal, request),
    'content-type': jsonType,
    'content-length': body.length,
  });
  response.end(body, 'latin1');
  const isTaken = request.socket.writableLength === 0;
  if (!isTaken) endUnlessTaken(response, body.length, options.limits);
}

/** Returns the rate limit error if the source has no requests left, because it must wait anyway. */
function chargedRefusal(
  overloaded: OverloadedError,
  charge: () => readonly Budget[],
): { readonly refusal: OverloadedError | RateLimitedError; readonly budgets: readonly Budget[] } {
  try {
    return { refusal: overloaded, budgets: charge() };
  } catch (error) {
    if (error instanceof RateLimitedError) return { refusal: error, budgets: [error.budget] };
    throw error;
  }
}

/** Cached bodies of both errors, as texts, which Node sends together with the headers. */
const rendered = new Map<string, { readonly status: number; readonly body: string }>();
function renderedOnce(refusal: OverloadedError | RateLimitedError) {
  const known = rendered.get(refusal.code);
  if (known !== undefined) return known;
  const { status, body } = renderError(refusal);
  const first = { status, body: Buffer.from(body).toString('latin1') };
  rendered.set(refusal.code, first);
  return first;
}
