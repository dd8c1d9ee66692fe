// The rest of a body whose request was answered early. Node reads and drops all of it, so a refused client
// could send for as long as a request may take.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Ends a connection with its answer where the rest of the body has no end, or is too long. */
export function endUnreadBodies(
  server: Server,
  { bodyLimitBytes }: { readonly bodyLimitBytes: number },
): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isBounded(request, bodyLimitBytes)) return;
    response.once('finish', () => {
      if (!request.complete) request.socket.destroySoon();
    });
  });
}

/** Returns true if a body is announced with a length that any request may have. */
function isBounded({ headers }: IncomingMessage, limitBytes: number): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= limitBytes;
}
