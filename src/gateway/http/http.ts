// The HTTP side of the API. It handles bytes, headers and limits; the enclave interprets requests. Each step
// of a request is a file of the folder http/.

import type { FastifyInstance } from 'fastify';
import { closeWithin } from '../admission/timeouts.ts';
import { type Ipv6Listener, listenAtIpv6, portOf } from '../base/both_families.ts';
import { addDashboardRoutes } from '../dashboard/routes.ts';
import { addDevelopmentRoutes } from '../development/routes.ts';
import { addFrameRoutes } from '../frames/routes.ts';
import { beginRequests } from './begin_request.ts';
import { readBodies } from './bodies.ts';
import { addCallRoutes } from './call_routes.ts';
import { addDocumentRoutes, addProbeRoutes } from './document_routes.ts';
import { answerErrors, endAnswers } from './end_answers.ts';
import { addLogRoutes } from './log_routes.ts';
import type { HttpOptions, HttpServer } from './options.ts';
import { type HttpParts, partsOf } from './parts.ts';
import { createServer } from './server.ts';
import { addUnsealRoutes } from './unseal_routes.ts';

/** Creates a server, which does not listen yet. */
export function createHttp(options: HttpOptions): HttpServer {
  const parts = partsOf(options);
  const app = createServer(parts);
  beginRequests(app, parts);
  endAnswers(app, parts);
  readBodies(app, parts);
  addCallRoutes(app, parts);
  addProbeRoutes(app, parts);
  addDocumentRoutes(app, parts);
  addLogRoutes(app, parts);
  addUnsealRoutes(app, parts);
  addPages(app, parts);
  answerErrors(app, parts);
  return lifetimeOf(app, parts);
}

/** Adds the pages of development mode, of the dashboard and of the frames if the server has them. */
function addPages(app: FastifyInstance, parts: HttpParts): void {
  const { serves, inbox, development, webhookKeySet, dashboard, frames } = parts;
  if (serves.includes('api') && inbox !== undefined) {
    addDevelopmentRoutes(app, { inbox, development, webhookKeySet });
  }
  if (dashboard !== undefined) addDashboardRoutes(app, dashboard);
  if (frames !== undefined) addFrameRoutes(app, frames);
}

function lifetimeOf(app: FastifyInstance, { phase, held }: HttpParts): HttpServer {
  const retire = (): void => {
    phase.isRetired = true;
    held?.close();
  };
  let beside: Ipv6Listener | undefined;
  return {
    retire,
    listen: async ({ host, port, asLocalhost = false }) => {
      // For the name, fastify would serve ::1 by a second server without these bounds.
      const isName = host === 'localhost';
      await app.listen({ host: isName ? '127.0.0.1' : host, port });
      const taken = portOf(app.server.address());
      if (asLocalhost || isName) beside = await listenAtIpv6(app.server, taken);
      return taken;
    },
    drain: async (timeoutMs) => {
      retire();
      phase.isDraining = true;
      const close = () => Promise.all([beside?.close(), app.close()]);
      await closeWithin(app.server, close, timeoutMs);
    },
  };
}
