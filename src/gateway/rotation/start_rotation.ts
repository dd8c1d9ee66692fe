// Runs the steps of a rotation once a second.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../store/store.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RotationKeys } from '../root_key/custody.ts';
import type { EpochFence } from './fenced_commits.ts';
import { createRotation } from './rotation.ts';
import {
  type RotationStatus,
  readRotationStatus,
  rotationStatusPath,
  writeRotationStatus,
} from './status_file.ts';

const everyMs = 1_000;

/** Starts the steps. Returns undefined for a store without rotations. */
export function startRotation({
  store,
  enclave,
  enclaves,
  keys,
  fence,
  epochBegan,
  dataDirectory,
  log,
  metrics,
}: {
  readonly store: Pick<Store, 'rotation'>;
  readonly enclave: Pick<Supervisor, 'calls'>;
  /** Number of enclaves of this node. */
  readonly enclaves: number;
  readonly keys: RotationKeys | undefined;
  readonly fence: EpochFence;
  /** Called after the enclaves seal in a new key epoch. */
  readonly epochBegan: () => Promise<void>;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly metrics: Metrics;
}): { stop(): Promise<void> } | undefined {
  if (store.rotation === undefined) return undefined;
  const stopping = new AbortController();
  const path = rotationStatusPath(dataDirectory);
  const step = createRotation({
    store: store.rotation,
    calls: enclave.calls,
    enclaves,
    keys,
    fence,
    epochBegan,
    // Each run of a service counts as a separate node.
    node: `${hostname()}/${randomUUID().slice(0, 8)}`,
    clock: monotonicClock.now,
    pause: (ms) => pause(ms),
    log,
    shown: readRotationStatus(path),
    show: (status: RotationStatus) => {
      metrics.rotationMeasured(status);
      writeRotationStatus(path, status);
    },
    stopped: () => stopping.signal.aborted,
  });
  async function runSteps(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await step()) continue;
      await pause(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  const running = runSteps();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
