// Answers invalid HTTP and requests that exceed its bounds, before a request object exists.

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../core/errors/errors.ts';
import { renderError } from '../../core/views/render_error.ts';
import { http } from '../../system/node_http.ts';

type Refusal = { readonly status: number; readonly reason: string };

const refusals: ReadonlyMap<string, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, reason: 'its headers are too large' }],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', { status: 413, reason: 'its chunk extensions are too large' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, reason: 'it did not arrive in time' }],
]);
const malformed: Refusal = { status: 400, reason: 'it is not well-formed HTTP' };

const none: readonly ServerResponse[] = [];
const isClosed = ({ closed }: ServerResponse): boolean => closed;

export type ClientErrors = {
  /** Must be called for every answer that will be sent. */
  expect(response: ServerResponse): void;
  /** Answers with a JSON error if that is still possible, and closes the connection. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void;
};

/**
 * Records the requests of each connection that wait for answers, in case invalid HTTP follows them. `headers`
 * are additional lines of each answer.
 */
export function createClientErrors(headers: readonly string[] = []): ClientErrors {
  const expected = new WeakMap<Socket, readonly ServerResponse[]>();
  return {
    expect: (response) => {
      const { socket } = response.req;
      // Drops completed answers here, so that none needs a listener.
      const others = expected.get(socket) ?? none;
      expected.set(
        socket,
        others.every(isClosed)
          ? [response]
          : [...others.filter((other) => !isClosed(other)), response],
      );
    },
    answer: (error, socket) => {
      const waiting = [...(expected.get(socket) ?? [])].filter(
        (response) => response.req.complete && !response.headersSent,
      );
      const last = waiting.at(-1);
      // The client would take an error now for the answer to its first waiting request.
      if (last === undefined || error.code === 'ECONNRESET') answerAtOnce(error, socket, headers);
      else last.setHeader('connection', 'close');
    },
  };
}

function answerAtOnce(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: readonly string[],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason } = refusals.get(error.code ?? '') ?? malformed;
  const { body } = renderError(new ServiceError('body_malformed', { reason }));
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.end(body, () => socket.destroy());
}
