// The interface of the metrics. Its library is loaded only if metrics are on.

import type { StageTime } from '../../core/base/stages.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { AuditSinkKind } from '../../store/port.ts';
import type { RateLimitName } from '../admission/rate_limit.ts';

/** A request that was answered. */
export type FinishedRequest = {
  /** `submit`, `query`, `proxy`, or `other`. */
  readonly kind: string;
  /** Name of a known operation, or `unknown`. */
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
};

/** Metrics of the store at its last reading. */
type MeasuredStore = {
  readonly waitingEvents: number;
  /** Age of the oldest waiting event; 0 if none waits. */
  readonly oldestEventMs: number;
  /** Decided activities that the destination of the audit trail has not stored yet. */
  readonly waitingAuditLines: number;
  /** Age of the oldest of these decisions; 0 if none waits. */
  readonly oldestAuditLineMs: number;
  /** Clock of the database minus the clock of this process; undefined if they are the same. */
  readonly clockOffsetMs: number | undefined;
};

/** Reasons to reject a request or close a connection in favor of others. */
const admissionReasons = [
  'places',
  'line',
  'memory',
  'unknown_keys',
  'wait',
  'connections',
  'pipelined',
  'unread',
] as const;
type AdmissionReason = (typeof admissionReasons)[number];

/** A kind of server that the operator configured for lookups. */
export type LookupServer = 'chain_node' | 'reward_source';

export type Metrics = {
  /** True if the stages of requests are recorded. */
  readonly wantsStages: boolean;
  requestStarted(): void;
  requestFinished(request: FinishedRequest): void;
  /** Counts the unknown members in a request of this operation. */
  membersIgnored(operation: string, members: number): void;
  /** Records the stages of a request of this kind. */
  stagesTaken(kind: string, stages: readonly StageTime[]): void;
  /** Sets the number of held requests. */
  requestsHeld(count: number): void;
  requestRateLimited(limit: RateLimitName): void;
  /** Counts a rejected request or closed connection; see `admissionReasons`. */
  admissionRefused(reason: AdmissionReason): void;
  /** Counts a request that waits for a later turn of the event loop. */
  requestDeferred(): void;
  enclaveRestarted(): void;
  enclaveMeasured(vitals: AnswerOf<EnclaveMessages['vitals']>): void;
  /** Records whether the service waits for its root key. */
  sealed(isSealed: boolean): void;
  /** Records the progress of a rotation of the root key. */
  rotationMeasured(progress: {
    readonly epoch: number;
    readonly rows: number;
    readonly total: number;
    readonly sealed: number;
  }): void;
  /** Records a commit, with the number of commits in progress including itself. */
  commitStarted(underWay: number): void;
  /** Records the end of a commit: `committed`, `conflict`, `duplicate`, or `failed`. */
  commitEnded(outcome: string, durationMs: number): void;
  /** Records the number of commits in a batch. The returned function is called at its end. */
  batchBegins(changes: number): () => void;
  storeMeasured(store: MeasuredStore): void;
  /** Counts a prepared answer: `committed`, or the reason why it was dropped. */
  preparedEnded(outcome: string): void;
  /** Counts an attempt of a webhook delivery by its outcome. */
  webhookAttempted(outcome: string): void;
  /** Counts lines of the audit trail that reached their destination. */
  auditWritten(destination: AuditSinkKind, lines: number): void;
  /** Counts a failed write of the audit trail. */
  auditFailed(destination: AuditSinkKind): void;
  /** Counts spans that were `sent`, `dropped` because too many waited, or `failed`. */
  spansEnded(outcome: string, spans: number): void;
  /** Counts a message to a person by its outcome. */
  messageEnded(channel: string, outcome: string): void;
  sendsUnderWay(chain: string, count: number): void;
  /** Counts a lookup of a transaction in progress: `agreed`, `disagreed` or `unanswered`. */
  sendLookedAt(chain: string, outcome: string): void;
  /** Sets the number of requests to servers of a kind that wait for a place. */
  lookupsWaiting(server: LookupServer, count: number): void;
  /** Counts a request that was rejected because too many wait. */
  lookupRefused(server: LookupServer): void;
};

/** Counts nothing. */
export const noMetrics: Metrics = {
  wantsStages: false,
  requestStarted: () => {},
  requestFinished: () => {},
  membersIgnored: () => {},
  stagesTaken: () => {},
  requestsHeld: () => {},
  requestRateLimited: () => {},
  admissionRefused: () => {},
  requestDeferred: () => {},
  enclaveRestarted: () => {},
  enclaveMeasured: () => {},
  sealed: () => {},
  rotationMeasured: () => {},
  commitStarted: () => {},
  commitEnded: () => {},
  batchBegins: () => () => {},
  storeMeasured: () => {},
  preparedEnded: () => {},
  webhookAttempted: () => {},
  auditWritten: () => {},
  auditFailed: () => {},
  spansEnded: () => {},
  messageEnded: () => {},
  sendsUnderWay: () => {},
  sendLookedAt: () => {},
  lookupsWaiting: () => {},
  lookupRefused: () => {},
};
