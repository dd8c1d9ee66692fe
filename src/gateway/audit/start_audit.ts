// The audit trail of one process: its worker, put together from settings.

import { randomUUID } from 'node:crypto';
import type { Settings } from '../../settings/settings.ts';
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
import { createUrlSink } from './url_sink.ts';
import { type AuditWorker, startAuditWorker } from './worker.ts';

/**
 * The destination that the settings name; undefined where the audit trail is off. Raises
 * UnusableDataError where it cannot be one.
 */
export function openAuditSink({
  auditFile,
  auditUrl,
  auditToken,
}: Settings): AuditSink | undefined {
  if (auditFile !== undefined && auditUrl !== undefined) {
    throw new UnusableDataError('the audit trail has one destination: a file or a URL, not both');
  }
  if (auditFile !== undefined) return openFileSink(auditFile);
  if (auditUrl === undefined) return undefined;
  // The operator named the address, and collectors are usually near.
  const rules = { allowPrivateTargets: true };
  const target = targetOf(auditUrl, rules);
  if ('refusal' in target) throw new UnusableDataError(`the audit URL: ${target.refusal}`);
  const outbound = createOutbound(rules);
  return createUrlSink({ url: auditUrl, token: auditToken, outbound });
}

/** Starts to write to a destination. */
export function startAudit({
  sink,
  settings,
  store,
  enclave,
  log,
  metrics,
}: {
  readonly sink: AuditSink;
  readonly settings: Settings;
  readonly store: Pick<Store, 'audit'>;
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly metrics: Metrics;
}): AuditWorker {
  return startAuditWorker({
    stream: store.audit,
    sink,
    // An embedded database has one process at a time, which goes on where the last one ended.
    owner: settings.databaseUrl === undefined ? 'embedded' : randomUUID(),
    linesOf: (request) => enclave.call('auditLines', request),
    now: Date.now,
    after: monotonicClock.after,
    log,
    written: metrics.auditWritten,
    failed: metrics.auditFailed,
  });
}
