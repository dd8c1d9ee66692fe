// Handles the rest of a body whose request was answered early. Node reads and drops all of it, so a rejected
// client could send until the request timeout.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Closes a connection after its answer if the body's length is unknown or too long. */
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

/** Returns true if the announced length of a body is within the limit. */
function isBounded({ headers }: IncomingMessage, limitBytes: number): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= limitBytes;
}
