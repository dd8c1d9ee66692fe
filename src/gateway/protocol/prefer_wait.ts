// `Prefer: wait` of an HTTP request (RFC 7240 section 4.3), and the matching header of the answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { HeldRequests } from '../admission/held_requests.ts';
import { waitSecondsOf } from './request_headers.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;

/**
 * Answers a request, and holds a query if its caller prefers to wait for changes. Records in the request how
 * long it was held. Raises the errors of `ask`.
 */
export function answerPreferred(
  held: HeldRequests | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const isQuery = request.record.kind === 'query';
  const waitSeconds = isQuery ? waitSecondsOf(request.headers['prefer']) : 0;
  return held === undefined || waitSeconds === 0
    ? ask()
    : answerHeld(held, waitSeconds, request, reply, ask);
}

async function answerHeld(
  held: HeldRequests,
  waitSeconds: number,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const caller = {
    waitSeconds,
    bodyBytes: request.body instanceof Uint8Array ? request.body.length : 0,
    source: request.usage.source,
    onLeave: (left: () => void) => void reply.raw.once('close', left),
  };
  const { answer, isHonored, heldMs } = await held.answer(caller, ask);
  request.record.heldMs = heldMs;
  if (isHonored) reply.header('preference-applied', 'wait');
  return answer;
}
