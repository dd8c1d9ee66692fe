// Serves metrics and health probes on a separate address.

import { http } from '../../system/node_http.ts';
import { createBuckets } from '../admission/buckets.ts';
import { boundConnections } from '../admission/connections.ts';
import { serveOneAtATime } from '../admission/one_at_a_time.ts';
import { probesPerSecond, type Source, sourceOf } from '../admission/rate_limit.ts';
import { endUnlessTaken, type Pace } from '../admission/timeouts.ts';
import { endUnreadBodies } from '../admission/unread_bodies.ts';
import { portOf } from '../base/both_families.ts';
import { healthOf } from '../protocol/health.ts';
import { sourceIn } from '../protocol/request_headers.ts';

/** Maximum connections of this server, without those reserved for probes. */
const connectionsMaximum = 64;
/** Maximum page requests of one source in a second. A page costs more than most requests of the API. */
const pagesPerSecond = 20;
/** A metrics reader sends its request at once, and needs no connection between two readings. */
const timeouts = {
  headersTimeout: 2_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** Time for a client to read each megabyte of an answer. */
const takenWithin: Pace = { bodyLimitBytes: 1_000_000, requestTimeoutMs: 30_000 };

type MetricsAddress = {
  readonly host: string;
  readonly port: number;
  readonly pace?: Pace;
  /** Returns the source to which a request is charged. Tests replace it, because they have one machine. */
  readonly named?: (source: Source) => string;
};

/**
 * Serves `GET /metrics` and the health probes on a separate address, whose capacity callers of the API cannot
 * exhaust. Disconnects a client that does not read its answer.
 */
export async function serveMetrics(
  { host, port, pace = takenWithin, named = (source) => sourceOf(source, 0) }: MetricsAddress,
  rendered: { readonly contentType: string; readonly render: () => Promise<string> },
  notReady: () => readonly string[],
): Promise<{ readonly port: number; close(): void }> {
  const probes = createBuckets(probesPerSecond, () => performance.now());
  const pages = createBuckets(pagesPerSecond, () => performance.now());
  const server = http.createServer(timeouts, (request, response) => {
    endUnlessTaken(response, 0, pace);
    const source = named(sourceIn(request));
    const isFull = connections.servesProbesOnly(request.socket);
    if (isFull) response.setHeader('connection', 'close');
    const isProbe = request.method === 'GET' && request.url?.startsWith('/health/') === true;
    const bucket = isProbe ? probes : pages;
    if (bucket.look(source).remaining === 0) {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    }
    bucket.take(source);
    if (isProbe) {
      const { status, body } = healthOf(request.url ?? '', notReady);
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
