// The transport over HTTP: a POST carries one message, and its response the answer. There are no streams,
// because the server sends no messages of its own.

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type McpServer, protocolVersions } from './protocol.ts';

const maximumBodyBytes = 1024 * 1024;
const maximumConnections = 16;
const requestTimeoutMs = 30_000;

export type McpListener = {
  /** The address of the server, which is on this machine only. */
  readonly url: string;
  stop(): Promise<void>;
};

/**
 * Listens at 127.0.0.1 until `stop`, at any free port if `port` is 0. Requests need the token as a bearer
 * token. Requests of web pages are refused. Raises the error of the system if the port is taken.
 */
export async function listenForMcp(
  server: McpServer,
  {
    port,
    token,
    onFault,
  }: { readonly port: number; readonly token: string; readonly onFault: (error: unknown) => void },
): Promise<McpListener> {
  const http = createServer((request, response) => {
    respond(request, response, server, token).catch((error) => {
      onFault(error);
      response.destroy();
    });
  });
  http.maxConnections = maximumConnections;
  http.requestTimeout = requestTimeoutMs;
  const listening = Promise.withResolvers<void>();
  http.once('error', listening.reject);
  http.listen(port, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = http.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}${path}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
    },
  };
}

const path = '/mcp';

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  server: McpServer,
  token: string,
): Promise<void> {
  const refused = refusalOf(request, token);
  const body = refused === undefined ? await bodyOf(request) : undefined;
  if (body === undefined) {
    // The rest of the body is not read.
    response.writeHead(refused ?? 413, { connection: 'close' }).end();
    return;
  }
  const answer = await server.answer(body);
  if (answer === undefined) response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
}

/** Returns the status that refuses a request, or undefined. */
function refusalOf({ url, method, headers }: IncomingMessage, token: string): number | undefined {
  // A page cannot leave out its origin, and a name that resolves to this machine is not this address.
  if (headers.origin !== undefined || !/^127\.0\.0\.1:\d+$/.test(headers.host ?? '')) return 403;
  if (!isEqual(headers.authorization ?? '', `Bearer ${token}`)) return 401;
  if (url !== path) return 404;
  if (method !== 'POST') return 405;
  const version = headers['mcp-protocol-version'];
  const isKnown = version === undefined || protocolVersions.some((known) => known === version);
  return isKnown ? undefined : 400;
}

/** Compares digests, so that the time reveals nothing about the token. */
const isEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maximumBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
