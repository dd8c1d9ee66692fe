// Counts and logs each request once, when its answer is complete. No text of a caller is logged.

import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RequestTrace } from '../traces/tracing.ts';

/** Record of a request and its outcome, for log and metrics. */
export type RequestRecord = {
  readonly kind: string;
  readonly operation: string;
  readonly startMs: number;
  /** Milliseconds for which the answer was held. */
  heldMs: number;
  outcome: RequestOutcome;
  /** Undefined if the request is not traced. */
  readonly trace?: RequestTrace | undefined;
  /** Time of the last call to the enclave, and its stages. */
  askedAtMs?: number;
  stages?: AnswerOf<EnclaveMessages['request']>['stages'];
  /** The number of members of the request that the enclave did not know and left out. */
  ignoredMembers?: number;
};

type RequestOutcome = {
  readonly activityId?: string;
  readonly organizationId?: string;
  readonly errorCode?: string;
  /** The authenticated user: ID, organization, and ID of the credential. */
  readonly userId?: string;
  readonly userOrganizationId?: string;
  readonly credentialId?: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

export type RequestLog = {
  /** Records the name of an existing operation, from the enclave's answer. */
  learn(operation: string): void;
  finished(request: EndedRequest): void;
};

/** A request with a complete answer. */
type EndedRequest = {
  readonly requestId: string;
  /** An address, a block of addresses, or `unknown`; never a text of the request. */
  readonly source: string;
  /** Status of the answer; undefined if the client disconnected before. */
  readonly status: number | undefined;
  readonly record: RequestRecord;
};

/** Creates the log of one server. */
export function createRequestLog(log: Log, metrics: Metrics): RequestLog {
  const operations = createOperationNames();
  return {
    learn: operations.learn,
    finished: ({ requestId, source, status: answered, record }) => {
      const { kind, startMs, heldMs, outcome, trace, askedAtMs = startMs, stages = [] } = record;
      const endMs = performance.now();
      const durationMs = endMs - startMs - heldMs;
      // For a disconnected client, 499 as in the logs of proxies.
      const status = answered ?? 499;
      const operation = operations.label(record.operation);
      metrics.requestFinished({ kind, operation, status, durationMs });
      const { ignoredMembers = 0 } = record;
      if (ignoredMembers > 0) metrics.membersIgnored(operation, ignoredMembers);
      if (stages.length > 0) metrics.stagesTaken(kind, stages);
      trace?.end({ kind, operation, status, heldMs, endMs, askedAtMs, stages, ...outcome });
      if (kind === 'other' && status < 400) return;
      log('info', 'request', {
        requestId,
        kind,
        operation,
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        ...(heldMs === 0 ? {} : { heldMs: Math.round(heldMs) }),
        source: source.endsWith('/32') ? source.slice(0, -3) : source,
        ...(trace === undefined ? {} : { traceId: trace.traceId }),
        ...outcome,
      });
    },
  };
}

/** Returns the log fields of an answer of the enclave. */
export function outcomeOf({
  activityId,
  organizationId,
  errorCode,
  asker,
}: AnswerOf<EnclaveMessages['request']>): RequestOutcome {
  const outcome: { -readonly [Name in keyof RequestOutcome]: RequestOutcome[Name] } = {};
  if (activityId !== undefined) outcome.activityId = activityId;
  if (organizationId !== undefined) outcome.organizationId = organizationId;
  if (errorCode !== undefined) outcome.errorCode = errorCode;
  if (asker === undefined) return outcome;
  outcome.userId = asker.userId;
  outcome.userOrganizationId = asker.organizationId;
  outcome.credentialId = asker.credentialId;
  return outcome;
}

/**
 * The operation names that may be labels. A name is known once the enclave has answered it, so names that
 * callers invent are excluded.
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
