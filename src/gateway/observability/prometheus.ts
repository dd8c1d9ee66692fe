// Counters, gauges and histograms in the text format of Prometheus. docs/observability.md lists them; a test
// compares that list with a scrape.

import type { Gauge as GaugeOf, Registry as RegistryOf } from 'prom-client';
import { type StageTime, stageStepMs } from '../../core/base/stages.ts';
import type { PoolState } from '../../store/store.ts';
import { chainMetrics } from './chain_metrics.ts';
import { changeWaitMetrics } from './change_waits.ts';
import type { Metrics } from './metrics.ts';
import { rotationMetrics } from './rotation_metrics.ts';

/** The labels of the service itself. */
export type Subject = {
  readonly version: string;
  /** `sqlite` or `postgres`. */
  readonly store: string;
  readonly isReady: () => boolean;
};

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const stageSeconds = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const together = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** Values that are read at each scrape. */
export type Observed = {
  /** The running program. */
  readonly subject?: Subject;
  /** Returns the number of log lines that were dropped since the start. */
  readonly logLinesDropped?: () => number;
  /** Returns the time of the last verified backup (milliseconds since 1970); undefined if unknown. */
  readonly backupTakenAtMs?: () => number | undefined;
  /** Returns the connections to a shared database. */
  readonly connections?: (() => readonly PoolState[]) | undefined;
};

/** Creates the metrics, and a function that returns the text for Prometheus. */
export async function createMetrics(observed: Observed = {}): Promise<{
  readonly metrics: Metrics;
  readonly contentType: string;
  readonly render: () => Promise<string>;
}> {
  const library = await import('prom-client');
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  observe(library, registry, observed);
  if (observed.subject !== undefined) describeSubject(observed.subject, library, registry);
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    metrics: {
      wantsStages: true,
      ...requestMetrics(library, registry),
      ...storeMetrics(library, registry),
      ...enclaveMetrics(library, registry),
      ...outgoingMetrics(library, registry),
    },
  };
}

type Library = typeof import('prom-client');

/** Adds metrics that are computed at each scrape. */
function observe(
  { Counter, Gauge }: Library,
  registry: RegistryOf,
  { logLinesDropped = () => 0, backupTakenAtMs = () => undefined, connections }: Observed,
): void {
  const registers = [registry];
  new Counter({
    name: 'keywright_log_lines_dropped_total',
    help: 'Lines of the log that were dropped because no reader took them in time.',
    registers,
    collect() {
      this.reset();
      this.inc(logLinesDropped());
    },
  });
  new Gauge({
    name: 'keywright_backup_age_seconds',
    help: 'Time since the last checked backup was taken from this data folder.',
    registers,
    collect() {
      this.reset();
      const takenAtMs = backupTakenAtMs();
      if (takenAtMs === undefined) this.remove();
      else this.set((Date.now() - takenAtMs) / 1000);
    },
  });
  if (connections === undefined) return;
  const gauges: readonly (readonly [string, string, (pool: PoolState) => number])[] = [
    ['maximum', 'Connections to the database that a pool may open.', (pool) => pool.maximum],
    ['open', 'Connections to the database that are open.', (pool) => pool.open],
    ['in_use', 'Connections to the database that are in use.', (pool) => pool.open - pool.idle],
    ['waiting', 'Calls that wait for a connection to the database.', (pool) => pool.waiting],
  ];
  for (const [name, help, countOf] of gauges) {
    new Gauge({
      name: `keywright_database_connections_${name}`,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const state of connections()) this.set({ pool: state.pool }, countOf(state));
      },
    });
  }
}

function describeSubject(
  { version, store, isReady }: Subject,
  { Gauge }: Library,
  registry: RegistryOf,
): void {
  const registers = [registry];
  new Gauge({
    name: 'keywright_build_info',
    help: 'Always 1; its labels name the version, Node and the store.',
    labelNames: ['version', 'node', 'store'],
    registers,
  }).set({ version, node: process.versions.node, store }, 1);
  new Gauge({
    name: 'keywright_ready',
    help: 'Whether the service is ready: 1 or 0.',
    registers,
    collect(this: GaugeOf) {
      this.set(isReady() ? 1 : 0);
    },
  });
}

function requestMetrics({ Counter, Gauge, Histogram }: Library, registry: RegistryOf) {
  const registers = [registry];
  const requests = new Counter({
    name: 'keywright_requests_total',
    help: 'Answered requests.',
    labelNames: ['kind', 'operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'keywright_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['kind', 'operation'],
    buckets: requestSeconds,
    registers,
  });
  const stages = new Histogram({
    name: 'keywright_request_stage_duration_seconds',
    help: 'Time that a request spent in a stage, summed over all its visits to the stage.',
    labelNames: ['kind', 'stage'],
    buckets: stageSeconds,
    registers,
  });
  const retries = new Counter({
    name: 'keywright_request_retries_total',
    help: 'Requests that were decided again, because another change was committed first or they had to wait in line.',
    labelNames: ['kind'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'keywright_requests_in_flight',
    help: 'Requests that have begun and are not yet answered.',
    registers,
  });
  const held = new Gauge({
    name: 'keywright_requests_held',
    help: 'Requests whose answer waits for a change (`Prefer: wait`).',
    registers,
  });
  const rateLimited = new Counter({
    name: 'keywright_rate_limited_total',
    help: 'Requests refused because their source or their organization had too many.',
    labelNames: ['limit'],
    registers,
  });
  const unknownMembers = new Counter({
    name: 'keywright_unknown_members_total',
    help: 'Members of requests that this version does not know and ignored, by operation.',
    labelNames: ['operation'],
    registers,
  });
  const admission = new Counter({
    name: 'keywright_admission_refusals_total',
    help: 'Requests refused, and connections ended, to admit others: by reason.',
    labelNames: ['reason'],
    registers,
  });
  const deferred = new Counter({
    name: 'keywright_requests_deferred_total',
    help: 'Requests that began later because many requests were refused and their key is not trusted.',
    registers,
  });
  return {
    requestStarted: () => inFlight.inc(),
    requestFinished: ({ kind, operation, status, durationMs }) => {
      inFlight.dec();
      requests.inc({ kind, operation, status: String(status) });
      durations.observe({ kind, operation }, durationMs / 1000);
    },
    membersIgnored: (operation, members) => unknownMembers.inc({ operation }, members),
    stagesTaken: (kind, taken) => {
      for (const [stage, steps] of sumsOf(taken)) {
        stages.observe({ kind, stage }, (steps * stageStepMs) / 1000);
      }
      const loads = taken.reduce((count, { stage }) => (stage === 'load' ? count + 1 : count), 0);
      if (loads > 1) retries.inc({ kind }, loads - 1);
    },
    requestsHeld: (count) => held.set(count),
    requestRateLimited: (limit) => rateLimited.inc({ limit }),
    admissionRefused: (reason) => admission.inc({ reason }),
    requestDeferred: () => deferred.inc(),
  } satisfies Partial<Metrics>;
}

function sumsOf(taken: readonly StageTime[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { stage, lasts } of taken) sums.set(stage, (sums.get(stage) ?? 0) + lasts);
  return sums;
}

function storeMetrics({ Counter, Gauge, Histogram }: Library, registry: RegistryOf) {
  const registers = [registry];
  const underWay = new Histogram({
    name: 'keywright_store_commits_under_way',
    help: 'Commits under way when one is added, which the store can combine into one batch.',
    buckets: together,
    registers,
  });
  const commits = new Histogram({
    name: 'keywright_store_commit_duration_seconds',
    help: 'Time until a commit was durable, or was refused: as `conflict`, `duplicate` or `failed`.',
    labelNames: ['outcome'],
    buckets: requestSeconds,
    registers,
  });
  const batches = new Histogram({
    name: 'keywright_store_batch_duration_seconds',
    help: 'Time to write one batch of commits and to flush it to the disk.',
    buckets: requestSeconds,
    registers,
  });
  const batchChanges = new Histogram({
    name: 'keywright_store_batch_changes',
    help: 'Number of commits in one batch.',
    buckets: together,
    registers,
  });
  const prepared = new Counter({
    name: 'keywright_prepared_answers_total',
    help: 'Answers prepared before their commit: sent if it is `committed`, otherwise decided again.',
    labelNames: ['outcome'],
    registers,
  });
  const waiting = new Gauge({
    name: 'keywright_webhook_waiting_events',
    help: 'Events since the oldest undelivered event of each endpoint, in the whole database.',
    registers,
  });
  const oldest = new Gauge({
    name: 'keywright_webhook_oldest_event_seconds',
    help: 'Age of the oldest event that waits for its delivery; 0 if none waits.',
    registers,
  });
  const auditWaiting = new Gauge({
    name: 'keywright_audit_waiting_lines',
    help: 'Decided activities that a destination of the audit trail does not have yet.',
    registers,
  });
  const auditOldest = new Gauge({
    name: 'keywright_audit_oldest_line_seconds',
    help: 'Time since the oldest of these was decided; 0 if none waits.',
    registers,
  });
  const clockOffset = new Gauge({
    name: 'keywright_clock_offset_seconds',
    help: 'Clock of the database less the clock of this machine; 0 with the embedded database.',
    registers,
  });
  return {
    commitStarted: (count) => underWay.observe(count),
    commitEnded: (outcome, durationMs) => commits.observe({ outcome }, durationMs / 1000),
    batchBegins: (changes) => {
      batchChanges.observe(changes);
      return batches.startTimer();
    },
    preparedEnded: (outcome) => prepared.inc({ outcome }),
    storeMeasured: (measured) => {
      waiting.set(measured.waitingEvents);
      oldest.set(measured.oldestEventMs / 1000);
      auditWaiting.set(measured.waitingAuditLines);
      auditOldest.set(measured.oldestAuditLineMs / 1000);
      clockOffset.set((measured.clockOffsetMs ?? 0) / 1000);
    },
  } satisfies Partial<Metrics>;
}

function enclaveMetrics({ Counter, Gauge }: Library, registry: RegistryOf) {
  const registers = [registry];
  const restarts = new Counter({
    name: 'keywright_enclave_restarts_total',
    help: 'Starts of the enclave after the first.',
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const resident = gauge(
    'keywright_enclave_resident_memory_bytes',
    'Memory of the process of the enclave.',
  );
  const heap = gauge('keywright_enclave_heap_used_bytes', 'Heap of its JavaScript that is in use.');
  const external = gauge(
    'keywright_enclave_external_memory_bytes',
    'Memory of its buffers, outside of that heap.',
  );
  const lag99 = gauge(
    'keywright_enclave_event_loop_lag_p99_seconds',
    'Delay of its event loop, the 99th percentile of the last 10 seconds.',
  );
  const lagMaximum = gauge(
    'keywright_enclave_event_loop_lag_max_seconds',
    'Delay of its event loop, the longest of the last 10 seconds.',
  );
  const busy = gauge(
    'keywright_enclave_busy_ratio',
    'Part of the last 10 seconds in which its thread was busy.',
  );
  const requests = gauge('keywright_enclave_requests', 'API requests under way in the enclave.');
  const largeReads = gauge(
    'keywright_enclave_large_reads_waiting',
    'Requests that wait until they may read activities of megabytes.',
  );
  const unrecorded = new Counter({
    name: 'keywright_unrecorded_refusals_total',
    help: 'Refusals that were answered but not recorded, because their user or organization has too many.',
    registers,
  });
  let unrecordedBefore = 0;
  const changeWaits = changeWaitMetrics({ Counter, Gauge }, registry);
  const isSealed = gauge(
    'keywright_sealed',
    '1 while the service waits for its root key, otherwise 0.',
  );
  return {
    rotationMeasured: rotationMetrics({ Gauge }, registry),
    enclaveRestarted: () => restarts.inc(),
    sealed: (yes) => isSealed.set(yes ? 1 : 0),
    enclaveMeasured: (vitals) => {
      resident.set(vitals.residentBytes);
      heap.set(vitals.heapUsedBytes);
      external.set(vitals.externalBytes);
      lag99.set(vitals.lagP99Micros / 1e6);
      lagMaximum.set(vitals.lagMaximumMicros / 1e6);
      busy.set(vitals.busyPermille / 1000);
      requests.set(vitals.requests);
      largeReads.set(vitals.largeReadsWaiting);
      // A restarted enclave counts from zero.
      const isNew = vitals.unrecordedRefusals < unrecordedBefore;
      unrecorded.inc(vitals.unrecordedRefusals - (isNew ? 0 : unrecordedBefore));
      unrecordedBefore = vitals.unrecordedRefusals;
      changeWaits(vitals.changeWaits);
    },
  } satisfies Partial<Metrics>;
}

function outgoingMetrics({ Counter, Gauge }: Library, registry: RegistryOf) {
  const registers = [registry];
  const webhooks = new Counter({
    name: 'keywright_webhook_attempts_total',
    help: 'Attempts at webhook deliveries.',
    labelNames: ['outcome'],
    registers,
  });
  const auditLines = new Counter({
    name: 'keywright_audit_lines_total',
    help: 'Lines of the audit trail that this node delivered, by destination.',
    labelNames: ['destination'],
    registers,
  });
  const auditFailures = new Counter({
    name: 'keywright_audit_failures_total',
    help: 'Attempts to hand over lines of the audit trail that failed: by destination.',
    labelNames: ['destination'],
    registers,
  });
  const spans = new Counter({
    name: 'keywright_trace_spans_total',
    help: 'Spans of traces: `sent`, `dropped` because too many waited, or `failed` because the collector did not accept them.',
    labelNames: ['outcome'],
    registers,
  });
  const messages = new Counter({
    name: 'keywright_messages_total',
    help: 'E-mails and text messages that were sent, failed, or were dropped.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  return {
    ...chainMetrics({ Counter, Gauge }, registry),
    webhookAttempted: (outcome) => webhooks.inc({ outcome }),
    auditWritten: (destination, lines) => auditLines.inc({ destination }, lines),
    auditFailed: (destination) => auditFailures.inc({ destination }),
    spansEnded: (outcome, count) => spans.inc({ outcome }, count),
    messageEnded: (channel, outcome) => messages.inc({ channel, outcome }),
  } satisfies Partial<Metrics>;
}
