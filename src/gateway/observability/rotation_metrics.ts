// Metrics of a rotation of the root key.

import type { Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Registers the metrics, and returns the function that sets them. */
export function rotationMetrics(
  { Gauge }: Pick<typeof import('prom-client'), 'Gauge'>,
  registry: Registry,
): Metrics['rotationMeasured'] {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const epoch = gauge(
    'keywright_root_key_epoch',
    'Key epoch of the last rotation of the root key in this process.',
  );
  const sealed = gauge(
    'keywright_root_key_rotation_sealed_rows',
    'Rows that the rotation of the root key has sealed again.',
  );
  const progress = gauge(
    'keywright_root_key_rotation_progress',
    'Share of the rows that the present pass of the rotation has seen, from 0 to 1.',
  );
  return (measured) => {
    epoch.set(measured.epoch);
    sealed.set(measured.sealed);
    progress.set(measured.total === 0 ? 0 : Math.min(1, measured.rows / measured.total));
  };
}
