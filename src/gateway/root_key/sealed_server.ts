// The server while the service has no root key: probes, and an error for all other requests.

import type { IncomingMessage, Server } from 'node:http';
import { ServiceError } from '../../core/errors/errors.ts';
import { renderError } from '../../core/views/render_error.ts';
import { http } from '../../system/node_http.ts';
import { boundConnections } from '../admission/connections.ts';
import { serveOneAtATime } from '../admission/one_at_a_time.ts';
import { portOf } from '../base/both_families.ts';
import { healthOf } from '../protocol/health.ts';
import { pathOf, unsealPath } from '../protocol/paths.ts';
import type { PortReservation } from './port_reservation.ts';
import type { ShareCollection } from './shares.ts';
import { answerUnseal, unsealBodyMaximumBytes } from './unseal_requests.ts';

const timeouts = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 1_000,
};
const maximumConnections = 256;

type SealedAnswer = { readonly status: number; readonly body: string | Uint8Array };

/**
 * Listens until it is released. Answers `/health/live` with 200, `/unseal` if it collects shares, and all
 * other requests with 503.
 */
export async function serveSealed(
  address: { readonly host: string; readonly port: number },
  notReady: () => readonly string[],
  shares?: ShareCollection,
): Promise<PortReservation> {
  const server = http.createServer(timeouts, (request, response) => {
    const end = ({ status, body }: SealedAnswer): void => {
      // Close the connection, because the next request on it would reach a stopped server.
      response.writeHead(status, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        ...(status === 503 ? { 'retry-after': '5' } : {}),
        connection: 'close',
      });
      response.end(body);
      request.resume();
    };
    const path = pathOf(request.url ?? '');
    if (shares !== undefined && path === unsealPath) {
      void answerUnseal(shares, request.method, () => bodyOf(request)).then(end);
      return;
    }
    const isProbe = path.startsWith('/health/') && ['GET', 'HEAD'].includes(request.method ?? '');
    end(isProbe ? probeAnswer(path, notReady) : renderError(new ServiceError('sealed')));
  });
  serveOneAtATime(server, () => undefined);
  boundConnections(server, maximumConnections);
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(address, listening.resolve);
  await listening.promise;
  return { port: portOf(server.address()), release: () => closed(server) };
}

function probeAnswer(path: string, notReady: () => readonly string[]) {
  const { status, body } = healthOf(path, notReady);
  return { status, body: JSON.stringify(body) };
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const ended = Promise.withResolvers<void>();
  server.close(() => ended.resolve());
  server.closeAllConnections();
  await ended.promise;
}

/** Reads a small body; undefined for a larger one. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > unsealBodyMaximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
