// One HTTP/1.1 exchange over a connection to one address.

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { assert } from '../../core/errors/errors.ts';
import { http, https } from '../../system/node_http.ts';
import type { Connect } from './connection.ts';
import { outboundLimits } from './limits.ts';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from './request.ts';
import type { Target } from './target_address.ts';

/** The possible retries after a failure that cannot have affected the other side. */
type Retry = 'other_address' | 'new_connection';

export type Exchange = OutboundAnswer | (OutboundFailure & { readonly retry?: Retry });

type Agents = { readonly plain: Agent; readonly secure: SecureAgent };

/**
 * Creates the pools of kept connections. A connection is reused only for the same address, port and
 * certificate name, so it only serves requests for which that address was checked.
 */
export function openAgents(connect: Connect, requestsPerHost: number): Agents {
  const options = {
    keepAlive: true,
    timeout: outboundLimits.idleMs,
    // Never reached, because the number of requests in progress has the same bound.
    maxSockets: requestsPerHost,
    maxFreeSockets: requestsPerHost,
  };
  const plain = new http.Agent(options);
  const secure = new https.Agent(options);
  plain.createConnection = dialler(connect, false);
  secure.createConnection = dialler(connect, true);
  for (const agent of [plain, secure]) {
    const keep = agent.keepSocketAlive.bind(agent);
    agent.keepSocketAlive = (socket) =>
      idleConnections(plain) + idleConnections(secure) < outboundLimits.idleConnections &&
      keep(socket);
  }
  return { plain, secure };
}

/** Sends the request to the address, and reads its answer. */
export function exchange(of: {
  readonly agent: Agent;
  readonly target: Target;
  readonly address: string;
  readonly request: OutboundRequest;
  readonly signal: AbortSignal;
}): Promise<Exchange> {
  const { agent, target, address, request, signal } = of;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const sent = start(agent, target, address, request);
  let isAnswered = false;
  const end = (outcome: Exchange): void => {
    signal.removeEventListener('abort', abort);
    resolve(outcome);
  };
  const abort = (): void => {
    end({ failure: 'timeout', detail: 'the time limit has passed' });
    sent.destroy();
  };
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  sent.on('error', (error) => {
    // The other side may close a kept connection at the same time. RFC 9112 section 9.3.1 then permits a
    // retry of a request without effects.
    const canRepeat = sent.reusedSocket && request.method === 'GET';
    end(failureOf(error, canRepeat));
  });
  // An answer of another protocol (101) closes the connection without an error.
  sent.on('close', () => {
    if (!isAnswered) end({ failure: 'network', detail: 'the connection was closed' });
  });
  sent.on('response', (response) => {
    isAnswered = true;
    // Rejects a length above the bound before reading the body.
    if (Number(response.headers['content-length'] ?? 0) > request.maximumBytes) {
      end(tooLarge(request.maximumBytes));
      sent.destroy();
      return;
    }
    void bodyOf(response, request.maximumBytes).then((outcome) => {
      if ('failure' in outcome) sent.destroy();
      end(outcome);
    });
  });
  sent.end(request.body);
  return promise;
}

const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
]);

function start(
  agent: Agent,
  target: Target,
  address: string,
  { method, headers = {}, body }: OutboundRequest,
): ClientRequest {
  for (const name of Object.keys(headers)) {
    assert(!ownHeaders.has(name.toLowerCase()), `the header ${name} is left to the client`);
  }
  const options = {
    agent,
    method,
    host: address,
    port: target.port,
    path: target.path,
    headers: {
      ...headers,
      host: target.authority,
      'accept-encoding': 'identity',
      ...(method === 'POST' ? { 'content-length': String(body?.length ?? 0) } : {}),
    },
    maxHeaderSize: outboundLimits.headerBytes,
    insecureHTTPParser: false,
  };
  if (!target.isSecure) return http.request(options);
  return https.request({ ...options, servername: target.isAddress ? '' : target.host });
}

/** Reads the body, at most this many bytes. */
async function bodyOf(response: IncomingMessage, maximumBytes: number): Promise<Exchange> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      assert(chunk instanceof Uint8Array, 'no decoder is set');
      length += chunk.length;
      if (length > maximumBytes) return tooLarge(maximumBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    return failureOf(error, false);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks, length),
  };
}

function dialler(connect: Connect, isSecure: boolean): Agent['createConnection'] {
  return (options): Duplex => {
    const { host: address, port } = options;
    const { servername } = options as { readonly servername?: string };
    assert(typeof address === 'string' && isIP(address) !== 0, 'the host is an address');
    const socket: Socket = connect({
      address,
      port: Number(port),
      isSecure,
      host: servername || address,
    });
    return socket;
  };
}

function idleConnections(agent: Agent): number {
  return Object.values(agent.freeSockets).reduce((sum, free) => sum + (free?.length ?? 0), 0);
}

function tooLarge(maximumBytes: number): Exchange {
  return { failure: 'too_large', detail: `the body has more than ${maximumBytes} bytes` };
}

function failureOf(error: unknown, canRepeat: boolean): Exchange {
  assert(error instanceof Error, 'what fails is an error');
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = `the headers have more than ${outboundLimits.headerBytes} bytes`;
    return { failure: 'too_large', detail };
  }
  const failure = { failure: 'network', detail: code ?? error.message } as const;
  if (syscall === 'connect') return { ...failure, retry: 'other_address' };
  return canRepeat && code === 'ECONNRESET' ? { ...failure, retry: 'new_connection' } : failure;
}
