// An HTTP server for other programs on this machine.

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { boundConnections } from '../../gateway/admission/connections.ts';
import type { Source } from '../../gateway/admission/rate_limit.ts';
import { usage } from '../words/failures.ts';

const largestBodyBytes = 1024 * 1024;
const maximumConnections = 16;
const maximumPublicConnections = 256;
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
/** Interval between two searches for connections that are too slow. */
const checkEveryMs = 1_000;

export type LocalRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
};

export type LocalAnswer = {
  readonly status: number;
  readonly body?: string | undefined;
  /** Default: JSON. */
  readonly contentType?: string | undefined;
};

export type LocalServer = {
  /** Returns the status of a rejection before the body is read; undefined to accept the request. */
  readonly refusal: (request: LocalRequest) => number | undefined;
  readonly answer: (request: LocalRequest, body: string) => Promise<LocalAnswer>;
  /** Listen address for other machines or proxies. Default: 127.0.0.1. */
  readonly publicHost?: string | undefined;
  /** Default: 1 MiB. */
  readonly maximumBodyBytes?: number | undefined;
  /** Replaced by tests, whose clients share this machine. */
  readonly sourceOf?: ((source: Source) => string) | undefined;
};

export type LocalListener = {
  /** The URL without a path. */
  readonly origin: string;
  /** Rejects with an internal error. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** Parses a port. Raises `usage` for other text. */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usage(`"${text}" is not a port: expected a number up to 65535`);
}

/**
 * Listens until `stop`; port 0 means any free port. Without a public address, requests from web pages get the
 * status 403. Throws `usage` if the port is taken.
 */
export async function listenOnThisMachine(
  server: LocalServer,
  port: number,
): Promise<LocalListener> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const options = { connectionsCheckingInterval: checkEveryMs };
  const http = createServer(options, (request, response) => {
    respond(request, response, server).catch((error) => {
      const isOurs = !request.destroyed || request.complete;
      response.destroy();
      if (isOurs) reject(error);
    });
  });
  const { publicHost } = server;
  // One address gets half of the connections that others leave.
  if (publicHost === undefined) http.maxConnections = maximumConnections;
  else boundConnections(http, maximumPublicConnections, server.sourceOf);
  http.headersTimeout = headersTimeoutMs;
  http.requestTimeout = requestTimeoutMs;
  const listening = Promise.withResolvers<void>();
  http.once('error', listening.reject);
  http.listen(port, publicHost ?? localHost, listening.resolve);
  await listening.promise.catch((error: Error) => {
    throw usage(`cannot listen at port ${port}: ${error.message}`);
  });
  const address = http.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    origin: `http://${hostInUrl(publicHost ?? localHost)}:${bound}`,
    failed,
    stop: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
    },
  };
}

const localHost = '127.0.0.1';
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Compares two texts in constant time, by their digests. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  server: LocalServer,
): Promise<void> {
  const { url = '', method = '', headers } = request;
  const received = { method, path: url, headers };
  const isForeign = server.publicHost === undefined && isOfPage(headers);
  const refused = isForeign ? 403 : server.refusal(received);
  const { maximumBodyBytes = largestBodyBytes } = server;
  const body = refused === undefined ? await bodyOf(request, maximumBodyBytes) : undefined;
  if (body === undefined) {
    // Close the connection, because the rest of the body is unread.
    response.writeHead(refused ?? 413, { connection: 'close' }).end();
    return;
  }
  const { status, body: answer, contentType } = await server.answer(received, body);
  if (answer === undefined) response.writeHead(status).end();
  else {
    response.writeHead(status, { 'content-type': contentType ?? 'application/json' }).end(answer);
  }
}

/**
 * Detects requests from web pages: they have an `origin` header, or a host name that resolves to this
 * machine.
 */
const isOfPage = ({ origin, host = '' }: IncomingMessage['headers']): boolean =>
  origin !== undefined || !/^127\.0\.0\.1:\d+$/.test(host);

async function bodyOf(request: IncomingMessage, maximumBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
