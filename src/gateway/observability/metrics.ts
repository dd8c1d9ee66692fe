// The metrics. The library behind the numbers is loaded only where metrics are switched on.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StageTime } from '../../core/base/stages.ts';
import { assert } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import { createBuckets } from '../admission/buckets.ts';
import { boundConnections } from '../admission/connections.ts';
import {
  probesPerSecond,
  type RateLimitName,
  type Source,
  sourceOf,
} from '../admission/rate_limit.ts';
import { endUnlessTaken, type Pace } from '../admission/timeouts.ts';
import { serveOneAtATime } from '../http/one_at_a_time.ts';
import { endUnreadBodies } from '../http/unread_bodies.ts';
import { sourceIn } from '../protocol/request_headers.ts';

/** One request that was answered. */
export type FinishedRequest = {
  /** `submit`, `query`, `proxy`, or `other`. */
  readonly kind: string;
  /** Name of a known operation, or `unknown`. */
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
};

/** How the store is doing, as it was found by a look at it. */
export type MeasuredStore = {
  readonly waitingEvents: number;
  /** Age of the oldest event that waits; 0 where none does. */
  readonly oldestEventMs: number;
  /** Decided activities that the destination of the audit trail does not have yet. */
  readonly waitingAuditLines: number;
  /** Since the oldest of these was decided; 0 where none waits. */
  readonly oldestAuditLineMs: number;
  /** The clock of the database less that of this process; undefined where they are the same. */
  readonly clockOffsetMs: number | undefined;
};

/** Why a request was refused or a connection ended to admit others. */
export const admissionReasons = [
  'places',
  'memory',
  'unknown_keys',
  'wait',
  'connections',
  'pipelined',
  'unread',
] as const;
export type AdmissionReason = (typeof admissionReasons)[number];

export type Metrics = {
  /** True if stages of requests are of use. */
  readonly wantsStages: boolean;
  requestStarted(): void;
  requestFinished(request: FinishedRequest): void;
  /** A request of this kind took these stages. */
  stagesTaken(kind: string, stages: readonly StageTime[]): void;
  /** So many answers are held for callers who wait for news. */
  requestsHeld(count: number): void;
  requestRateLimited(limit: RateLimitName): void;
  /** A request was refused, or a connection ended, to admit others; see `admissionReasons`. */
  admissionRefused(reason: AdmissionReason): void;
  enclaveRestarted(): void;
  enclaveMeasured(vitals: AnswerOf<EnclaveMessages['vitals']>): void;
  /** The service waits for its root key, or has it. */
  sealed(isSealed: boolean): void;
  /** A commit was given to the store while so many, itself included, were under way. */
  commitStarted(underWay: number): void;
  /** `committed`, `conflict`, `duplicate`, or `failed`. */
  commitEnded(outcome: string, durationMs: number): void;
  /** So many commits are written together; what this returns is called when that has ended. */
  batchBegins(changes: number): () => void;
  storeMeasured(store: MeasuredStore): void;
  /** An answer that was prepared could be given (`committed`), or why not. */
  preparedEnded(outcome: string): void;
  /** A webhook delivery was tried, with this outcome. */
  webhookAttempted(outcome: string): void;
  /** So many lines of the audit trail are at their destination. */
  auditWritten(lines: number): void;
  /** Lines of the audit trail could not be handed over. */
  auditFailed(): void;
  /** So many spans of traces were `sent`, `dropped` because too many waited, or `failed`. */
  spansEnded(outcome: string, spans: number): void;
  /** A message to a person ended in this way. */
  messageEnded(channel: string, outcome: string): void;
  /** So many transactions are looked after on a chain. */
  sendsUnderWay(chain: string, count: number): void;
  /** Nodes were asked about a transaction under way: `agreed`, `disagreed` or `unanswered`. */
  sendLookedAt(chain: string, outcome: string): void;
};

/** Counts nothing. */
export const noMetrics: Metrics = {
  wantsStages: false,
  requestStarted: () => {},
  requestFinished: () => {},
  stagesTaken: () => {},
  requestsHeld: () => {},
  requestRateLimited: () => {},
  admissionRefused: () => {},
  enclaveRestarted: () => {},
  enclaveMeasured: () => {},
  sealed: () => {},
  commitStarted: () => {},
  commitEnded: () => {},
  batchBegins: () => () => {},
  storeMeasured: () => {},
  preparedEnded: () => {},
  webhookAttempted: () => {},
  auditWritten: () => {},
  auditFailed: () => {},
  spansEnded: () => {},
  messageEnded: () => {},
  sendsUnderWay: () => {},
  sendLookedAt: () => {},
};

/** The connections of this server, without those reserved for probes. */
const connectionsMaximum = 64;
/** A metrics reader sends its request at once, and needs no connection between two readings. */
const timeouts = {
  headersTimeout: 2_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** How long a reader of the metrics may take for each megabyte of an answer. */
const takenWithin: Pace = { bodyLimitBytes: 1_000_000, requestTimeoutMs: 30_000 };

export type MetricsAddress = {
  readonly host: string;
  readonly port: number;
  readonly pace?: Pace;
  /** Returns the source to which a request is charged. Tests replace it, because they have one machine. */
  readonly named?: (source: Source) => string;
};

/**
 * Serves `GET /metrics` on an address of its own, and the health probes besides: callers of the API
 * cannot use up what this server has. A client that does not take its answer is disconnected.
 */
export async function serveMetrics(
  { host, port, pace = takenWithin, named = (source) => sourceOf(source, 0) }: MetricsAddress,
  rendered: { readonly contentType: string; readonly render: () => Promise<string> },
  notReady: () => readonly string[],
): Promise<{ readonly port: number; close(): void }> {
  const probes = createBuckets(probesPerSecond, () => performance.now());
  const server = createServer(timeouts, (request, response) => {
    endUnlessTaken(response, 0, pace);
    const source = named(sourceIn(request));
    const isFull = connections.servesProbesOnly(request.socket);
    if (isFull) response.setHeader('connection', 'close');
    if (request.method === 'GET' && request.url?.startsWith('/health/') === true) {
      if (probes.look(source).remaining === 0) {
        response.writeHead(429, { 'retry-after': '1' }).end();
        return;
      }
      probes.take(source);
      const { status, body } = healthOf(request.url, notReady);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (isFull) {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    rendered.render().then(
      (text) => response.writeHead(200, { 'content-type': rendered.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  endUnreadBodies(server, { bodyLimitBytes: 0 });
  serveOneAtATime(server, () => undefined);
  const connections = boundConnections(server, connectionsMaximum, named);
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen({ host, port }, listening.resolve);
  await listening.promise;
  return {
    port: portOf(server.address()),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** How the reason begins for which a service without its root key is not ready. */
export const sealedWord = 'sealed:';

/** Returns the answer to a health probe. */
export function healthOf(
  path: string,
  notReady: () => readonly string[],
): { readonly status: number; readonly body: object } {
  if (path === '/health/live') return { status: 200, body: { status: 'ok' } };
  if (path !== '/health/ready') return { status: 404, body: { status: 'unknown' } };
  const reasons = notReady();
  if (reasons.length === 0) return { status: 200, body: { status: 'ready' } };
  const status = reasons.some((reason) => reason.startsWith(sealedWord)) ? 'sealed' : 'not ready';
  return { status: 503, body: { status, reasons } };
}

/** The port of a server that listens on TCP. */
export function portOf(address: string | AddressInfo | null): number {
  assert(address !== null && typeof address === 'object', 'a TCP server has an address');
  return address.port;
}
