// Counts and logs each request once, when its answer is over. Nothing a caller invented gets in.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, EnclaveMessages } from '../ipc/messages.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** For the log and the numbers: which request this is, and what became of it. */
export type RequestRecord = {
  readonly kind: string;
  readonly operation: string;
  readonly startMs: number;
  /** Milliseconds for which the answer was held for a caller who waited. */
  heldMs: number;
  outcome: Outcome;
};

export type Outcome = {
  readonly activityId?: string;
  readonly organizationId?: string;
  readonly errorCode?: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

export type RequestLog = {
  /** Learns from the answer of the enclave that an operation of this name exists. */
  learn(operation: string): void;
  finished(request: FastifyRequest, reply: FastifyReply): void;
};

/** Creates the log of one server. */
export function createRequestLog(log: Log, metrics: Metrics): RequestLog {
  const operations = createOperationNames();
  return {
    learn: operations.learn,
    finished: (request, reply) => {
      const { kind, startMs, heldMs, outcome } = request.record;
      const durationMs = performance.now() - startMs - heldMs;
      // A caller that went away was answered nothing: 499, as proxies log it.
      const status = reply.raw.writableFinished ? reply.statusCode : 499;
      const operation = operations.label(request.record.operation);
      metrics.requestFinished({ kind, operation, status, durationMs });
      if (kind === 'other' && status < 400) return;
      log('info', 'request', {
        requestId: request.id,
        kind,
        operation,
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        ...(heldMs === 0 ? {} : { heldMs: Math.round(heldMs) }),
        ...outcome,
      });
    },
  };
}

/** What of an answer of the enclave is logged. */
export function outcomeOf({
  activityId,
  organizationId,
  errorCode,
}: AnswerOf<EnclaveMessages['request']>): Outcome {
  return {
    ...(activityId === undefined ? {} : { activityId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/**
 * The names that may label a line or a number. A name is known once the enclave has answered it as
 * an operation, so what callers invent never gets here.
 */
function createOperationNames(): { learn(name: string): void; label(name: string): string } {
  const known = new Set<string>();
  const maximumNames = 1_024;
  return {
    learn: (name) => {
      if (known.size < maximumNames) known.add(name);
    },
    label: (name) => (known.has(name) ? name : 'unknown'),
  };
}
