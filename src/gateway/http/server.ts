// The web server below the routes: connections, invalid requests, and early rejections.

import type { IncomingMessage } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { OverloadedError } from '../admission/load_limiter.ts';
import { serveOneAtATime } from '../admission/one_at_a_time.ts';
import { chargeSource, type Source } from '../admission/rate_limit.ts';
import { endUnreadBodies } from '../admission/unread_bodies.ts';
import { noSchemas } from '../base/no_schemas.ts';
import type { HttpPart } from '../protocol/paths.ts';
import { requestIdOf } from '../protocol/request_headers.ts';
import { beginInTurn } from './begin_in_turn.ts';
import { answerOverloaded, refuseEarly } from './early_refusal.ts';
import type { HttpParts } from './parts.ts';
import { answerUnreadablePath } from './unreadable_paths.ts';

/** Creates a server without routes, which does not listen yet. */
export function createServer(parts: HttpParts): FastifyInstance {
  const { limits, clientErrors } = parts;
  const app = fastify({
    bodyLimit: limits.bodyLimitBytes,
    requestTimeout: limits.requestTimeoutMs,
    return503OnClosing: false,
    schemaController: noSchemas,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: clientErrors.answer,
    frameworkErrors: (_error, request, reply) => answerUnreadablePath(parts, request, reply),
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
      // Otherwise Node itself would answer a request without Host, with an empty body.
      requireHostHeader: false,
    },
  });
  refuseOverload(app, parts);
  endUnreadBodies(app.server, limits);
  app.server.on('connection', (socket) =>
    parts.connections.enter(socket, () => app.server.closeIdleConnections()),
  );
  // Unknown expectations may be ignored (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  serveOneAtATime(app.server, () => parts.metrics.admissionRefused('pipelined'));
  return app;
}

function refuseOverload(app: FastifyInstance, parts: HttpParts): void {
  const { serves, load, metrics, requestLog, refusalPace, marks, limits, sourceOf } = parts;
  const { rateLimits, connections, phase } = parts;
  const options = {
    serves,
    load,
    metrics,
    requestLog,
    refusalPace,
    marks,
    limits,
    sourceOf,
    charge: (source: Source, part: HttpPart) => chargeSource(rateLimits, source, part === 'proxy'),
    isServing: ({ socket }: IncomingMessage) =>
      !phase.isRetired && !phase.isDraining && !connections.servesProbesOnly(socket),
  };
  const noRoom = new OverloadedError(0, 'line');
  beginInTurn(app.server, {
    ...parts,
    refuse: (request, response) => answerOverloaded(request, response, noRoom, options),
  });
  refuseEarly(app.server, options);
}
