// The first step of a start: the data directory, its store, and the metrics.

import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../settings/settings.ts';
import { openDataDirectory } from '../../store/data_directory/data_directory.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import type { BatchBegins, Store } from '../../store/store.ts';
import { monotonicClock } from '../base/clock.ts';
import { readLastBackup } from '../custody/last_backup.ts';
import type { Log } from '../observability/log.ts';
import {
  readRotationStatus,
  rotationStatusPath,
  writeRotationStatus,
} from '../rotation/status_file.ts';
import { startMetrics } from './start_metrics.ts';
import type { Starting } from './starting.ts';

export type OpenedData = {
  readonly directory: string;
  readonly store: Store;
  /** True if no service has initialized the database yet. */
  readonly isNew: boolean;
  /** Undefined if metrics are off. */
  readonly metricsUrl: string | undefined;
};

/**
 * Opens the data of a service and starts its metrics. `linesDropped` returns the number of lost log lines.
 */
export async function openData(
  starting: Starting,
  linesDropped: () => number,
): Promise<OpenedData> {
  const { settings, log, closers } = starting;
  const directory = openDataDirectory(settings.dataDirectory);
  closers.push(() => directory.close());
  syncNames(directory.path);
  const store = await openStore(settings, directory.path, log, (changes) =>
    starting.metrics.batchBegins(changes),
  );
  closers.push(() => store.close());
  const isNew = (await store.port.deployment()) === undefined;
  const { metrics, metricsUrl } = await startMetrics(settings, {
    closers,
    notReady: () => starting.notReady(),
    observed: {
      logLinesDropped: linesDropped,
      backupTakenAtMs: () => readLastBackup(directory.path)?.createdAtMs,
      connections: store.connections,
    },
  });
  starting.metrics = metrics;
  return { directory: directory.path, store, isNew, metricsUrl };
}

/** Flushes the directory, because an earlier start may have ended before it did. */
function syncNames(directory: string): void {
  const file = openSync(directory, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes rows of the earlier root key from unused space of the file, once after a rotation. */
async function compactAfterRotation(directory: string, file: string, log: Log): Promise<void> {
  const path = rotationStatusPath(directory);
  const status = readRotationStatus(path);
  if (status?.state !== 'ended' || status.isCompact === true || !existsSync(file)) return;
  const { sqliteRewriter } = await import('../../store/sqlite/rewriter.ts');
  const rewriter = sqliteRewriter(file);
  try {
    await rewriter.compact();
  } finally {
    await rewriter.close();
  }
  writeRotationStatus(path, { ...status, isCompact: true });
  log('info', 'the database file was rebuilt after the rotation of the root key', {});
}

/** Loads the driver of the shared store only if it is used. */
async function openStore(
  { databaseUrl, receipts }: Settings,
  directory: string,
  log: Log,
  batchBegins: BatchBegins,
): Promise<Store> {
  if (databaseUrl === undefined) {
    const file = join(directory, 'keywright.sqlite');
    await compactAfterRotation(directory, file, log);
    return openSqliteStore({ file, log, batchBegins, feedsLog: receipts });
  }
  const { openPostgresStore } = await import('../../store/postgres/postgres.ts');
  const clock = monotonicClock.now;
  return openPostgresStore({ url: databaseUrl, log, clock, batchBegins, feedsLog: receipts });
}
