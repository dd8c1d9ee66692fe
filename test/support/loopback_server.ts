import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A server of HTTP on a port of loopback, by default any free one; `stop` ends what is under way as well. */
export async function startLoopbackServer(listener: RequestListener, port = 0) {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
