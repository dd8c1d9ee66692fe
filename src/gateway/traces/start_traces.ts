// Starts the traces of one process if they are on.

import type { Settings } from '../../settings/settings.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { targetOf } from '../outbound/target_address.ts';
import { noTracing, type Tracing } from './tracing.ts';

type TracesSettings = Pick<
  Settings,
  'tracesUrl' | 'tracesToken' | 'tracesRatio' | 'tracesFollowCallers'
>;

/** Minimum interval between log lines about the same problem. */
const complainEveryMs = 60_000;
/** Maximum time to send waiting spans at the end of the service. */
const closeWithinMs = 2_000;

/** Starts to trace. Raises UnusableDataError for an invalid collector address. */
export async function startTracing(
  { tracesUrl, tracesToken, tracesRatio, tracesFollowCallers }: TracesSettings,
  {
    log,
    metrics,
    closers,
  }: {
    readonly log: Log;
    readonly metrics: Pick<Metrics, 'spansEnded'>;
    readonly closers: (() => void | Promise<void>)[];
  },
): Promise<Tracing> {
  if (tracesUrl === undefined) return noTracing;
  // The operator named the address, and collectors are usually near.
  const target = targetOf(tracesUrl, { allowPrivateTargets: true });
  if ('refusal' in target) throw new UnusableDataError(`the URL of traces: ${target.refusal}`);
  const [{ openTracing }, { default: manifest }] = await Promise.all([
    import('./open_telemetry.ts'),
    import('../../../package.json', { with: { type: 'json' } }),
  ]);
  const tracing = openTracing({
    url: tracesUrl,
    token: tracesToken,
    ratio: tracesRatio,
    followsCallers: tracesFollowCallers,
    version: manifest.version,
    ended: metrics.spansEnded,
    // Omits path and query, which may contain a secret.
    failed: createComplaint(log, new URL(tracesUrl).origin),
  });
  closers.push(() => within(closeWithinMs, tracing.close()));
  return tracing;
}

/** Logs why spans were not accepted, at most once a minute. */
function createComplaint(log: Log, to: string): (reason: string) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (reason) => {
    if (performance.now() - saidAtMs < complainEveryMs) return;
    saidAtMs = performance.now();
    log('warn', 'could not export traces', { to, reason });
  };
}

/** Waits for a promise, at most for this time. */
async function within(limitMs: number, ended: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, limitMs);
  await Promise.race([ended, late.promise]);
  clearTimeout(timer);
}
