// A starting service: values that its steps share, and values that later steps replace.

import type { Settings } from '../../settings/settings.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import { type Metrics, noMetrics } from '../observability/metrics.ts';
import type { EpochFence } from '../rotation/fenced_commits.ts';
import type { SigningPermissionWatch } from './signing_permission_watch.ts';

/** Functions that close the opened parts, in the order of opening; the last runs first. */
type Closers = (() => void | Promise<void>)[];

export type Starting = {
  readonly settings: Settings;
  readonly log: Log;
  readonly closers: Closers;
  /** Counts nothing before the metrics have started. */
  metrics: Metrics;
  /** Returns why the service is not ready; empty once it is. */
  notReady: () => readonly string[];
  /** The minimum key epoch of new rows. */
  readonly epochFence: EpochFence;
  /** Undefined before its launch. */
  enclave: Supervisor | undefined;
  /** Undefined before the enclave serves. */
  copy: SigningPermissionWatch | undefined;
};

export const startingReason = 'the service is starting';

export function beginStart(settings: Settings, log: Log): Starting {
  return {
    settings,
    log,
    closers: [],
    epochFence: { least: 0 },
    metrics: noMetrics,
    notReady: () => [startingReason],
    enclave: undefined,
    copy: undefined,
  };
}

/** Closes the opened parts. */
export async function closeAll(closers: Closers): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
}
