// What is counted. The library behind the numbers is loaded only where metrics are switched on.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert } from '../core/errors/errors.ts';

/** One request that was answered. */
export type FinishedRequest = {
  /** `submit`, `query`, `proxy`, or `other`. */
  readonly kind: string;
  /** Name of a known operation, or `unknown`. */
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
};

export type Metrics = {
  requestStarted(): void;
  requestFinished(request: FinishedRequest): void;
  /** So many answers are held for callers who wait for news. */
  requestsHeld(count: number): void;
  requestRateLimited(limit: 'source' | 'organization'): void;
  enclaveRestarted(): void;
  /** A commit was given to the store while so many, itself included, were under way. */
  commitStarted(underWay: number): void;
  /** A webhook delivery was tried, with this outcome. */
  webhookAttempted(outcome: string): void;
  /** A message to a person ended in this way. */
  messageEnded(channel: string, outcome: string): void;
};

/** Counts nothing. */
export const noMetrics: Metrics = {
  requestStarted: () => {},
  requestFinished: () => {},
  requestsHeld: () => {},
  requestRateLimited: () => {},
  enclaveRestarted: () => {},
  commitStarted: () => {},
  webhookAttempted: () => {},
  messageEnded: () => {},
};

/** Counters and the text in which Prometheus reads them. */
export async function createMetrics(): Promise<{
  readonly metrics: Metrics;
  readonly contentType: string;
  readonly render: () => Promise<string>;
}> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import(
    'prom-client'
  );
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'keywright_requests_total',
    help: 'Answered requests.',
    labelNames: ['kind', 'operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'keywright_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['kind', 'operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'keywright_requests_in_flight',
    help: 'Requests that have begun and are not yet answered.',
    registers,
  });
  const held = new Gauge({
    name: 'keywright_requests_held',
    help: 'Requests whose answer is held until there is news.',
    registers,
  });
  const rateLimited = new Counter({
    name: 'keywright_rate_limited_total',
    help: 'Requests refused because their source or their organization had too many.',
    labelNames: ['limit'],
    registers,
  });
  const restarts = new Counter({
    name: 'keywright_enclave_restarts_total',
    help: 'Starts of the enclave after the first.',
    registers,
  });
  const commits = new Histogram({
    name: 'keywright_store_commits_under_way',
    help: 'Commits under way when one is added: what the store can put into one batch.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers,
  });
  const webhooks = new Counter({
    name: 'keywright_webhook_attempts_total',
    help: 'Attempts at webhook deliveries.',
    labelNames: ['outcome'],
    registers,
  });
  const messages = new Counter({
    name: 'keywright_messages_total',
    help: 'E-mails and text messages that were sent, failed, or were dropped.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    metrics: {
      requestStarted: () => inFlight.inc(),
      requestFinished: ({ kind, operation, status, durationMs }) => {
        inFlight.dec();
        requests.inc({ kind, operation, status: String(status) });
        durations.observe({ kind, operation }, durationMs / 1000);
      },
      requestsHeld: (count) => held.set(count),
      requestRateLimited: (limit) => rateLimited.inc({ limit }),
      enclaveRestarted: () => restarts.inc(),
      commitStarted: (underWay) => commits.observe(underWay),
      webhookAttempted: (outcome) => webhooks.inc({ outcome }),
      messageEnded: (channel, outcome) => messages.inc({ channel, outcome }),
    },
  };
}

/**
 * Serves `GET /metrics` on an address of its own, and the health probes besides: callers of the API
 * cannot use up what this server has.
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  rendered: { readonly contentType: string; readonly render: () => Promise<string> },
  notReady: () => readonly string[],
): Promise<{ readonly port: number; close(): void }> {
  const timeouts = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 30_000 };
  const server = createServer(timeouts, (request, response) => {
    if (request.method === 'GET' && request.url?.startsWith('/health/') === true) {
      const { status, body } = healthOf(request.url, notReady);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    rendered.render().then(
      (text) => response.writeHead(200, { 'content-type': rendered.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 64;
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

/** Returns the answer to a health probe. */
export function healthOf(
  path: string,
  notReady: () => readonly string[],
): { readonly status: number; readonly body: object } {
  if (path === '/health/live') return { status: 200, body: { status: 'ok' } };
  if (path !== '/health/ready') return { status: 404, body: { status: 'unknown' } };
  const reasons = notReady();
  if (reasons.length === 0) return { status: 200, body: { status: 'ready' } };
  return { status: 503, body: { status: 'not ready', reasons } };
}

/** The port of a server that listens on TCP. */
export function portOf(address: string | AddressInfo | null): number {
  assert(address !== null && typeof address === 'object', 'a TCP server has an address');
  return address.port;
}
