// The last step of every request: requests that no route takes, errors, and answers on their way out.

import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors/errors.ts';
import { refusalOf, sendError } from '../answers.ts';
import { endUnlessTaken } from '../timeouts.ts';
import { answerUnknownPath } from '../unknown_path.ts';
import type { HttpParts } from './parts.ts';

/** Answers what no route takes, and what a route raised. */
export function answerErrors(app: FastifyInstance, { serves, dashboard, log }: HttpParts): void {
  const known = { serves, hasDashboard: dashboard !== undefined };
  app.setNotFoundHandler((request, reply) => answerUnknownPath(request, reply, known));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.id);
    request.record.outcome = { errorCode: refusal.code };
    if (refusal.code === 'internal' && !(error instanceof ServiceError)) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', 'a request failed', { requestId: request.id, detail });
    }
    return sendError(reply, refusal);
  });
}

/** Sees each answer out: it takes its memory from the source, and the client must take it in time. */
export function endAnswers(app: FastifyInstance, { phase, connections, limits }: HttpParts): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const { usage, socket } = request;
    const isLast = phase.isRetired || usage.isCutOff || connections.servesProbesOnly(socket);
    if (isLast) reply.header('connection', 'close');
    const lengthBytes = payload instanceof Uint8Array ? payload.length : 0;
    usage.account.holdAnswer(lengthBytes);
    endUnlessTaken(reply.raw, lengthBytes, limits);
    next();
  });
}
