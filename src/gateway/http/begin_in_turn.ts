// Lets calls begin in the order of the request line, before the web framework sees them.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { KnownKeys } from '../admission/known_keys.ts';
import type { Source } from '../admission/rate_limit.ts';
import type { RequestLine } from '../admission/request_line.ts';
import { arrivalOf } from '../protocol/arrival.ts';
import { authenticationHeadersOf } from '../protocol/request_headers.ts';

type TurnOptions = {
  readonly line: Pick<RequestLine, 'enter'>;
  readonly knownKeys: Pick<KnownKeys, 'isTrusted'>;
  readonly sourceOf: (source: Source) => string;
  /** Answers a call if the line is full. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
};

/**
 * Passes calls to the listeners of a server in their turn, and other requests immediately. Drops a call whose
 * client has disconnected meanwhile. The body of a waiting call stays unread in its connection.
 */
export function beginInTurn(
  server: Server,
  { line, knownKeys, sourceOf, refuse }: TurnOptions,
): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { call, source } = arrivalOf(request, sourceOf);
    if (request.method !== 'POST' || call.part === undefined) {
      pass(request, response);
      return;
    }
    const isEntered = line.enter({
      source,
      isOfTrustedKey: () =>
        knownKeys.isTrusted(source, authenticationHeadersOf(request.rawHeaders)),
      begin: () => {
        if (!request.socket.destroyed) pass(request, response);
      },
      onceEnded: (ended) => {
        if (request.socket.destroyed) ended();
        else response.once('close', ended);
      },
    });
    if (!isEntered) refuse(request, response);
  });
}
