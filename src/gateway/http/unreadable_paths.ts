// Handles paths that the web framework cannot decode. No hook runs for such a request, so this file repeats
// the steps of every request.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownOperation } from '../../core/errors/unknown_operation.ts';
import { asksToWait } from '../admission/refusal_pace.ts';
import { endUnlessTaken } from '../admission/timeouts.ts';
import { identifyingHeaders } from '../protocol/answer_headers.ts';
import { sendError } from '../protocol/answers.ts';
import { shownPath } from '../protocol/paths.ts';
import { sourceIn } from '../protocol/request_headers.ts';
import { chargeRequest } from './charge_request.ts';
import type { HttpParts } from './parts.ts';

/** Charges, counts, logs and answers the request, and disconnects a client that does not read the answer. */
export function answerUnreadablePath(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { limits, metrics, requestLog, refusalPace, clientErrors, marks, phase } = parts;
  const startMs = performance.now();
  metrics.requestStarted();
  clientErrors.expect(reply.raw);
  reply.headers(identifyingHeaders(request.id, marks));
  if (phase.isRetired) reply.header('connection', 'close');
  const unknown = unknownOperation(shownPath(request.url));
  const sender = sourceIn(request);
  const refusal = chargeRequest(parts, request, reply, sender) ?? unknown;
  const source = parts.sourceOf(sender);
  const record = { kind: 'other', operation: '', startMs, heldMs: 0 };
  reply.raw.once('close', () => {
    const status = reply.raw.writableFinished ? reply.statusCode : undefined;
    const outcome = { errorCode: refusal.code };
    requestLog.finished({ requestId: request.id, source, status, record: { ...record, outcome } });
    if (asksToWait(status)) refusalPace.refused(source, request.raw);
  });
  endUnlessTaken(reply.raw, 0, limits);
  sendError(reply, refusal);
}
