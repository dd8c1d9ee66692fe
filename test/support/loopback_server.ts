import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * A server of HTTP on a port of loopback, by default any free one; `stop` ends what is under way as well.
 * A listener may fail once nobody waits for its answer: the client was killed, or the server was stopped.
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
