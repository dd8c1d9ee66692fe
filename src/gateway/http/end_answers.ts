// The last step of every request: unknown paths, errors, and outgoing answers.

import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors/errors.ts';
import { OverloadedError } from '../admission/load_limiter.ts';
import { endUnlessTaken } from '../admission/timeouts.ts';
import { isShared } from '../base/shared_bytes.ts';
import { isDashboardPath } from '../dashboard/routes.ts';
import { refusalOf, sendError } from '../protocol/answers.ts';
import type { HttpParts } from './parts.ts';
import { answerUnknownPath } from './unknown_path.ts';

/** Answers unknown paths and errors of routes. */
export function answerErrors(
  app: FastifyInstance,
  { serves, dashboard, frames, log, metrics }: HttpParts,
): void {
  const isPage = (path: string) =>
    (dashboard !== undefined && isDashboardPath(path)) || frames?.files.has(path) === true;
  const known = { serves, isPage };
  app.setNotFoundHandler((request, reply) => answerUnknownPath(request, reply, known));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.id);
    request.record.outcome = { errorCode: refusal.code };
    if (refusal instanceof OverloadedError) metrics.admissionRefused(refusal.reason);
    if (refusal.code === 'internal' && !(error instanceof ServiceError)) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', 'a request failed', { requestId: request.id, detail });
    }
    return sendError(reply, refusal);
  });
}

/**
 * Tracks each answer until it is sent. Its memory is charged to the source, unless answers share it. The
 * client must read the answer in time.
 */
export function endAnswers(app: FastifyInstance, { phase, connections, limits }: HttpParts): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const { usage, socket } = request;
    const isLast = phase.isRetired || usage.isCutOff || connections.servesProbesOnly(socket);
    if (isLast) reply.header('connection', 'close');
    const lengthBytes = payload instanceof Uint8Array ? payload.length : 0;
    const ownBytes = payload instanceof Uint8Array && !isShared(payload) ? payload.length : 0;
    usage.account.holdAnswer(ownBytes, () => socket.destroy());
    // Writes the answer. The operating system accepts most answers immediately, and they need no timer.
    next();
    if (!isTaken(reply.raw)) endUnlessTaken(reply.raw, lengthBytes, limits);
  });
}

/** Returns true if the operating system has the whole answer. */
function isTaken({ writableEnded, req: { socket } }: ServerResponse): boolean {
  return writableEnded && socket.writableLength === 0;
}
