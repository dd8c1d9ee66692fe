// Reads one request at a time from each connection. If a client sends its next request before the answer to
// the last (pipelining), the connection ends after that answer.
//
// Node parses everything that it reads at once: 64 KiB contain 3,400 requests, which block for a tenth of a
// second. So this module filters the bytes, and passes the parser only those of one request.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The end of the headers of a request. */
const endOfHeaders = '\r\n\r\n';
/** Bytes of a body parsed before the next check for a further request. */
const portionBytes = 1024;

type Connection = {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** True if the connection reads no more: it ends after the current answer. */
  isEnding: boolean;
};

/**
 * Makes a server read one request at a time from each connection. Call it after the server has all its
 * listeners. `pipelined` is called for each connection that ends because of pipelining.
 */
export function serveOneAtATime(server: Server, pipelined: () => void): void {
  const connections = new WeakMap<Socket, Connection>();

  server.on('connection', (socket: Socket) => {
    const connection: Connection = { request: undefined, response: undefined, isEnding: false };
    connections.set(socket, connection);
    readInParts(socket, connection, pipelined);
  });

  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      // If the end of the headers arrives in two pieces, a second request can get through.
      if (!isAnswered(connection)) endAfterAnswer(request.socket, connection, pipelined);
      if (connection.isEnding) return;
      connection.request = request;
      connection.response = response;
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** Stands between a socket and the parser, which reads the bytes of the socket through a listener. */
function readInParts(socket: Socket, connection: Connection, pipelined: () => void): void {
  const parsers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer<ArrayBuffer> | string) => {
    // Bytes that arrived together with the end of a request were sent before its answer, unless the server
    // answered early.
    const answeredBefore = isAnswered(connection) ? connection.response : undefined;
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (rest.length > 0 && !socket.destroyed) {
      const isNext = isComplete(connection) && connection.response !== answeredBefore;
      if (isNext && !isBlank(rest)) {
        endAfterAnswer(socket, connection, pipelined);
      }
      if (connection.isEnding) {
        socket.pause();
        return;
      }
      const length = lengthToParse(rest, connection);
      const part = length === rest.length ? rest : rest.subarray(0, length);
      for (const parse of parsers) parse.call(socket, part);
      rest = rest.subarray(length);
    }
  });
}

/** Returns how many of the bytes the parser receives: at most one request. */
function lengthToParse(bytes: Buffer<ArrayBuffer>, { request }: Connection): number {
  const end = bytes.indexOf(endOfHeaders);
  if (end === -1) return bytes.length;
  if (request?.complete === false) return Math.min(bytes.length, portionBytes);
  const first = end + endOfHeaders.length;
  return bytes.indexOf(endOfHeaders, first) === -1 ? bytes.length : first;
}

/** Returns true if the operating system has the whole last answer, so that the client can receive it. */
function isAnswered({ response }: Connection): boolean {
  return response === undefined || response.writableFinished;
}

function isComplete({ request }: Connection): boolean {
  return request?.complete === true;
}

/** Empty lines between requests are not requests (RFC 9112 section 2.2). */
function isBlank(bytes: Buffer<ArrayBuffer>): boolean {
  return bytes.every((byte) => byte === 0x0d || byte === 0x0a);
}

/** Stops reading, and ends the connection once the operating system has the current answer. */
function endAfterAnswer(socket: Socket, connection: Connection, pipelined: () => void): void {
  if (connection.isEnding) return;
  connection.isEnding = true;
  pipelined();
  const { response } = connection;
  if (response === undefined || response.writableFinished) {
    socket.destroySoon();
    return;
  }
  if (!response.headersSent) response.setHeader('connection', 'close');
  response.once('finish', () => socket.destroySoon());
}
