// Values that the routes and hooks of one server share.

import { type Connections, createConnections } from '../admission/connections.ts';
import { createKnownKeys, type KnownKeys } from '../admission/known_keys.ts';
import { createLoadLimiter, type LoadLimiter } from '../admission/load_limiter.ts';
import { type Source, sourceOf } from '../admission/rate_limit.ts';
import { createRefusalPace, type RefusalPace } from '../admission/refusal_pace.ts';
import { createRequestLine, type RequestLine } from '../admission/request_line.ts';
import { developmentHeader } from '../development/development.ts';
import type { AnswerHeaders } from '../protocol/answer_headers.ts';
import { type ClientErrors, createClientErrors } from '../protocol/client_error.ts';
import type { HttpPart } from '../protocol/paths.ts';
import type { HttpOptions } from './options.ts';
import { createRequestLog, type RequestLog } from './request_log.ts';

export type HttpParts = Omit<
  HttpOptions,
  'load' | 'connections' | 'serves' | 'dashboard' | 'frames' | 'sourceOf' | 'knownKeys'
> & {
  readonly load: LoadLimiter;
  readonly connections: Connections;
  readonly knownKeys: KnownKeys;
  readonly serves: readonly HttpPart[];
  readonly requestLog: RequestLog;
  readonly refusalPace: RefusalPace;
  readonly line: RequestLine;
  readonly clientErrors: ClientErrors;
  /** Headers of every answer, including answers to invalid requests. */
  readonly marks: AnswerHeaders;
  /** Returns the source to which a request is charged. */
  readonly sourceOf: (source: Source) => string;
  /** Undefined if this server has no dashboard. */
  readonly dashboard: HttpOptions['dashboard'];
  /** Undefined if this server has no frames. */
  readonly frames: HttpOptions['frames'];
  /** Changes while the server stops. */
  readonly phase: {
    /** The answer of each request closes its connection. */
    isRetired: boolean;
    /** New requests are refused. */
    isDraining: boolean;
  };
};

/** Returns the parts of a server: the given ones, with defaults for the others. */
export function partsOf(options: HttpOptions): HttpParts {
  const { log, metrics, limits, development, serves = ['api', 'proxy'] } = options;
  const now = () => performance.now();
  const marks: AnswerHeaders =
    development === undefined ? {} : { [developmentHeader.name]: developmentHeader.value };
  return {
    ...options,
    serves,
    dashboard: serves.includes('api') ? options.dashboard : undefined,
    frames: serves.includes('api') ? options.frames : undefined,
    sourceOf: options.sourceOf ?? ((source) => sourceOf(source, limits.trustedProxies)),
    load:
      options.load ?? createLoadLimiter(limits, { clock: now, uses: [], answerDropped: () => {} }),
    line: createRequestLine({
      clock: now,
      inNextTurn: (callback) => setImmediate(callback),
      after: (ms, callback) => setTimeout(callback, ms).unref(),
      sharePercent: limits.sourceSharePercent,
      deferred: metrics.requestDeferred,
    }),
    connections: options.connections ?? createConnections(limits, now, options.sourceOf),
    knownKeys: options.knownKeys ?? createKnownKeys(now),
    requestLog: createRequestLog(log, metrics),
    refusalPace: createRefusalPace(limits, now),
    clientErrors: createClientErrors(
      Object.entries(marks).map(([name, value]) => `${name}: ${value}`),
    ),
    marks,
    phase: { isRetired: false, isDraining: false },
  };
}
