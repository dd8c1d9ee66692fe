// The calls of the API and of the onboarding proxy. The enclave decides all of them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsTimestampObjects } from '../../core/base/compatibility.ts';
import { addressOf, askOnAccount } from '../admission/rate_limit.ts';
import { sendJson, showBudget } from '../protocol/answers.ts';
import { calls } from '../protocol/paths.ts';
import { answerPreferred } from '../protocol/prefer_wait.ts';
import {
  authenticationHeadersOf,
  proxyHeadersOf,
  singleHeader,
  submitKindOf,
} from '../protocol/request_headers.ts';
import type { EnclaveAnswer, EnclaveRequest } from './options.ts';
import type { HttpParts } from './parts.ts';
import { outcomeOf } from './request_log.ts';
import { asWork } from './work.ts';

type Call = (typeof calls)[number];
/** A request without the members that are set when its work begins. */
type Question = Omit<EnclaveRequest, 'deadlineAtMs' | 'cancelId'>;
type OperationRequest = FastifyRequest<{ Params: { operation: string } }>;

/** Adds the routes of the calls that the server serves. */
export function addCallRoutes(app: FastifyInstance, parts: HttpParts): void {
  for (const call of calls.filter(({ part }) => parts.serves.includes(part))) {
    app.post(call.route, async (request: OperationRequest, reply) => {
      const question = questionOf(call, request, parts);
      const answer = await answerCall(call, parts, { request, reply, question });
      if (call.part === 'proxy') letPageRead(reply, answer);
      if (isOfOperation(answer)) parts.requestLog.learn(question.operation);
      noteUse(parts, request, question, answer);
      request.record.stages = answer.stages;
      request.record.ignoredMembers = answer.ignoredMembers ?? 0;
      request.record.outcome = outcomeOf(answer);
      return sendJson(reply, answer.status, answer.body);
    });
  }
}

/**
 * Returns true if the answer shows that the operation exists. The rate limit and an unavailable service
 * refuse requests before the enclave looks for the operation.
 */
function isOfOperation({ errorCode, status }: EnclaveAnswer): boolean {
  return errorCode !== 'operation_unknown' && errorCode !== 'rate_limited' && status < 500;
}

/** Records the data that accompanies an answer: the thread use of the enclave, and the key of the request. */
function noteUse(
  { load, knownKeys, line }: HttpParts,
  { usage }: FastifyRequest,
  { headers }: Question,
  { status, asker, busyMs }: EnclaveAnswer,
): void {
  if (busyMs !== undefined) load.enclaveUsed(busyMs);
  const isRefused = status >= 400;
  if (isRefused) line.requestRefused();
  if (asker === undefined) return;
  knownKeys.note(usage.source, asker.credentialId, headers);
  if (isRefused) knownKeys.noteRefusal(usage.source, headers);
}

/** Returns a request in the enclave's form. The enclave trusts none of its members. */
function questionOf(
  { kind, part }: Call,
  request: OperationRequest,
  { metrics, limits, activityTimes = 'by-client' }: HttpParts,
): Question {
  const tried = request.headers['dry-run'];
  const headersOf = part === 'api' ? authenticationHeadersOf : proxyHeadersOf;
  return {
    requestId: request.id,
    kind: kind === 'submit' ? submitKindOf(tried) : kind,
    operation: request.params.operation,
    headers: headersOf(request.raw.rawHeaders),
    timestampObjects: wantsTimestampObjects(
      {
        clientVersion: singleHeader(request, 'x-client-version'),
        userAgent: singleHeader(request, 'user-agent'),
      },
      activityTimes,
    ),
    remoteAddress: addressOf(request.usage.sender, limits.trustedProxies),
    ...(metrics.wantsStages || request.record.trace !== undefined ? { timed: true } : {}),
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(0),
  };
}

/** Calls the enclave within the caller's limits, and again after changes if the caller waits. */
function answerCall(
  { part }: Call,
  parts: HttpParts,
  {
    request,
    reply,
    question,
  }: {
    readonly request: OperationRequest;
    readonly reply: FastifyReply;
    readonly question: Question;
  },
): Promise<EnclaveAnswer> {
  const { ask, held, limits, rateLimits } = parts;
  const askNow = () =>
    asWork(parts, request, ({ id }) =>
      ask({ ...question, deadlineAtMs: Date.now() + limits.requestDeadlineMs, cancelId: id }),
    );
  // Strangers at the proxy do not use the limit of the organization.
  const paid = part === 'api' ? rateLimits : undefined;
  const payer = { body: question.body, source: request.usage.sender };
  return answerPreferred(held, request, reply, () =>
    askOnAccount(paid, payer, askNow, (left) => showBudget(reply, left)),
  );
}

/** Adds CORS headers for allowed pages; other pages cannot read the error. */
function letPageRead(reply: FastifyReply, { allowedOrigin, errorCode }: EnclaveAnswer): void {
  const header = 'access-control-allow-origin';
  reply.header('vary', 'origin');
  if (allowedOrigin !== undefined) reply.header(header, allowedOrigin);
  if (errorCode === 'proxy_origin_not_allowed') reply.removeHeader(header);
}
