// Starts the audit trail of one process from its settings.

import { randomUUID } from 'node:crypto';
import type { Settings } from '../../settings/settings.ts';
import type { SharedDestination } from '../../store/reads/audit_stream.ts';
import type { Store } from '../../store/store.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { targetOf } from '../outbound/target_address.ts';
import { openFileSink } from './file_sink.ts';
import type { AuditSink } from './sink.ts';
import { openSyslogSink } from './syslog_sink.ts';
import { createUrlSink } from './url_sink.ts';
import { type AuditWorker, startAuditWorker } from './worker.ts';

/**
 * Returns the destinations that the settings name. Raises UnusableDataError for a destination that cannot be
 * used.
 */
export function openAuditSinks(settings: Settings): readonly AuditSink[] {
  const { auditFile, auditUrl, auditToken, auditSyslog } = settings;
  return [
    ...(auditFile === undefined ? [] : [openFileSink(auditFile)]),
    ...(auditUrl === undefined ? [] : [openUrlSink(auditUrl, auditToken)]),
    ...(auditSyslog === undefined ? [] : [openSyslogSink({ ...settings, auditSyslog })]),
  ];
}

function openUrlSink(auditUrl: string, token: string | undefined): AuditSink {
  // The operator named the address, and collectors are usually near.
  const rules = { allowPrivateTargets: true };
  const target = targetOf(auditUrl, rules);
  if ('refusal' in target) throw new UnusableDataError(`the audit URL: ${target.refusal}`);
  const outbound = createOutbound(rules);
  return createUrlSink({ url: auditUrl, token, outbound });
}

/** Starts to write to each destination. An unavailable destination does not delay the others. */
export function startAudit({
  sinks,
  ...parts
}: AuditParts & { readonly sinks: readonly AuditSink[] }): AuditWorker {
  const workers = sinks.map((sink) => {
    const others = sinks.flatMap(({ kind }) => (kind === sink.kind ? [] : [kind]));
    const shared = others.length === 0 ? undefined : { kind: sink.kind, others };
    return startWorker(parts, sink, shared);
  });
  return {
    wake: () => {
      for (const worker of workers) worker.wake();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

type AuditParts = {
  readonly settings: Settings;
  readonly store: Pick<Store, 'audit'>;
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly metrics: Metrics;
};

function startWorker(
  { settings, store, enclave, log, metrics }: AuditParts,
  sink: AuditSink,
  shared: SharedDestination | undefined,
): AuditWorker {
  return startAuditWorker({
    stream: store.audit,
    sink,
    shared,
    // Only one process uses an embedded database, and it continues after its predecessor.
    owner: settings.databaseUrl === undefined ? 'embedded' : randomUUID(),
    linesOf: (request) => enclave.call('auditLines', request),
    now: Date.now,
    after: monotonicClock.after,
    log,
    written: (lines) => metrics.auditWritten(sink.kind, lines),
    failed: () => metrics.auditFailed(sink.kind),
  });
}
