// The metrics. The library behind the numbers is loaded only where metrics are switched on.

import type { StageTime } from '../../core/base/stages.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { AuditSinkKind } from '../../store/port.ts';
import type { RateLimitName } from '../admission/rate_limit.ts';

/** One request that was answered. */
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
  /** Age of the oldest event that waits; 0 where none does. */
  readonly oldestEventMs: number;
  /** Decided activities that the destination of the audit trail does not have yet. */
  readonly waitingAuditLines: number;
  /** Since the oldest of these was decided; 0 where none waits. */
  readonly oldestAuditLineMs: number;
  /** The clock of the database less that of this process; undefined where they are the same. */
  readonly clockOffsetMs: number | undefined;
};

/** Why a request was refused or a connection ended to admit others. */
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

/** A kind of server that the operator named for lookups. */
export type LookupServer = 'chain_node' | 'reward_source';

export type Metrics = {
  /** True if stages of requests are of use. */
  readonly wantsStages: boolean;
  requestStarted(): void;
  requestFinished(request: FinishedRequest): void;
  /** A request of this operation had this many unknown members. */
  membersIgnored(operation: string, members: number): void;
  /** A request of this kind took these stages. */
  stagesTaken(kind: string, stages: readonly StageTime[]): void;
  /** Number of requests held until news. */
  requestsHeld(count: number): void;
  requestRateLimited(limit: RateLimitName): void;
  /** A request was refused, or a connection ended, to admit others; see `admissionReasons`. */
  admissionRefused(reason: AdmissionReason): void;
  /** A request waits for a later turn of the event loop. */
  requestDeferred(): void;
  enclaveRestarted(): void;
  enclaveMeasured(vitals: AnswerOf<EnclaveMessages['vitals']>): void;
  /** The service waits for its root key, or has it. */
  sealed(isSealed: boolean): void;
  /** Progress of a rotation of the root key. */
  rotationMeasured(progress: {
    readonly epoch: number;
    readonly rows: number;
    readonly total: number;
    readonly sealed: number;
  }): void;
  /** The store received a commit while this many, itself included, were under way. */
  commitStarted(underWay: number): void;
  /** `committed`, `conflict`, `duplicate`, or `failed`. */
  commitEnded(outcome: string, durationMs: number): void;
  /** Number of commits written together; the returned function is called at the end. */
  batchBegins(changes: number): () => void;
  storeMeasured(store: MeasuredStore): void;
  /** An answer that was prepared could be given (`committed`), or why not. */
  preparedEnded(outcome: string): void;
  /** A webhook delivery was tried, with this outcome. */
  webhookAttempted(outcome: string): void;
  /** Number of lines of the audit trail that reached their destination. */
  auditWritten(destination: AuditSinkKind, lines: number): void;
  /** Lines of the audit trail could not be handed over. */
  auditFailed(destination: AuditSinkKind): void;
  /** Number of spans that were `sent`, `dropped` because too many waited, or `failed`. */
  spansEnded(outcome: string, spans: number): void;
  /** A message to a person ended in this way. */
  messageEnded(channel: string, outcome: string): void;
  sendsUnderWay(chain: string, count: number): void;
  /** Nodes were asked about a transaction under way: `agreed`, `disagreed` or `unanswered`. */
  sendLookedAt(chain: string, outcome: string): void;
  /** Number of requests to servers of a kind that wait for a place. */
  lookupsWaiting(server: LookupServer, count: number): void;
  /** A request was refused because too many wait. */
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
