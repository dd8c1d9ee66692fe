import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Starts an HTTP server on a loopback port. Default: any free port. `stop` also ends open requests. Errors of
 * the listener are ignored after the client disconnected or the server stopped.
 */
export async function startLoopbackServer(listener: Listener, port = 0) {
  let isStopped = false;
  const server = createServer(async (request, response) => {
    try {
      await listener(request, response);
    } catch (error) {
      if (!isStopped && !request.socket.destroyed) throw error;
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: () => {
      isStopped = true;
      server.close();
      server.closeAllConnections();
    },
  };
}
