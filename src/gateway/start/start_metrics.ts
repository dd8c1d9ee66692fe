// Starts the metrics if they are on.

import type { Settings } from '../../settings/settings.ts';
import type { Store } from '../../store/store.ts';
import { baseUrlOf } from '../base/base_url.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import { serveMetrics } from '../http/metrics_server.ts';
import { type Metrics, noMetrics } from '../observability/metrics.ts';
import type { Observed } from '../observability/prometheus.ts';

type Closers = (() => void | Promise<void>)[];

/** Starts to collect and serve metrics; the address is undefined if they are off. */
export async function startMetrics(
  { metricsHost, metricsPort, databaseUrl }: Settings,
  {
    closers,
    notReady,
    observed,
  }: {
    readonly closers: Closers;
    readonly notReady: () => readonly string[];
    readonly observed: Observed;
  },
): Promise<{ readonly metrics: Metrics; readonly metricsUrl: string | undefined }> {
  if (metricsPort === undefined) return { metrics: noMetrics, metricsUrl: undefined };
  const [{ createMetrics }, { default: manifest }] = await Promise.all([
    import('../observability/prometheus.ts'),
    import('../../../package.json', { with: { type: 'json' } }),
  ]);
  const subject = {
    version: manifest.version,
    store: databaseUrl === undefined ? 'sqlite' : 'postgres',
    isReady: () => notReady().length === 0,
  };
  const created = await createMetrics({ ...observed, subject });
  const server = await serveMetrics({ host: metricsHost, port: metricsPort }, created, notReady);
  closers.push(() => server.close());
  return { metrics: created.metrics, metricsUrl: baseUrlOf(metricsHost, server.port) };
}

/** Starts the metrics of the enclave and the store if metrics are on. */
export async function startVitalSigns(
  metrics: Metrics,
  of: {
    readonly enclave: Pick<Supervisor, 'calls'>;
    readonly store: Pick<Store, 'vitals'>;
    readonly closers: Closers;
  },
): Promise<void> {
  if (metrics === noMetrics) return;
  const { mergedVitals, watchVitalSigns } = await import('../observability/vital_signs.ts');
  const signs = watchVitalSigns({
    metrics,
    enclave: async () => {
      const asked = of.enclave.calls().map((call) => call('vitals', undefined));
      return mergedVitals(await Promise.all(asked));
    },
    store: () => of.store.vitals(),
    now: Date.now,
    after: monotonicClock.after,
  });
  of.closers.push(() => signs.stop());
}
