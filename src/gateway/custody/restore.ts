// `keywright restore`: verifies a backup, restores it into an empty data folder or database, and permits a
// replica to sign.

import { chmodSync, constants, copyFileSync, existsSync, linkSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hex } from '../../core/base/bytes.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { openDataDirectory, syncDirectory } from '../../store/data_directory/data_directory.ts';
import { sqliteSnapshot, syncFile } from '../../store/sqlite/copy.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { copyTables } from '../../store/tables/copied_tables.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { monotonicClock } from '../base/clock.ts';
import type { Log } from '../observability/log.ts';
import { anchorFileOf, anchorHandlers } from './anchor.ts';
import type { CustodySettings, Steps } from './backup.ts';
import { type Custodian, withCustodian } from './custodian.ts';
import {
  type BackupManifest,
  checkDigest,
  checkMac,
  databaseName,
  databaseOf,
  readManifest,
  requirePlainFile,
} from './manifest.ts';
import { openAllRows } from './open_rows.ts';
import { storeOfFile } from './store_of_file.ts';
import { UnverifiedError } from './unverified_error.ts';

type Parts = { readonly log: Log; readonly steps: Steps };

/**
 * Checks a backup: its manifest, the digest of its database, and that every sealed row opens.
 * @throws UnusableDataError with the problem.
 */
export async function verifyBackup(
  settings: Pick<CustodySettings, 'readRootKey' | 'launchEnclave'>,
  { from, ...parts }: Parts & { readonly from: string },
): Promise<BackupManifest> {
  const directory = resolve(from);
  const found = readManifest(directory);
  await verifyDatabase(settings, { file: databaseOf(directory), found, ...parts });
  return found.manifest;
}

async function verifyDatabase(
  { readRootKey, launchEnclave }: Pick<CustodySettings, 'readRootKey' | 'launchEnclave'>,
  {
    file,
    found,
    log,
    steps,
  }: Parts & { readonly file: string; readonly found: ReturnType<typeof readManifest> },
): Promise<void> {
  const { manifest } = found;
  await checkDigest(file, manifest);
  const store = storeOfFile(file);
  try {
    await withCustodian(
      { readRootKey, launchEnclave, store: store.port, log },
      async (custodian) => {
        await checkMac(found, custodian);
        await checkFence(custodian);
        const rows = await openAll(file, manifest, custodian, steps);
        if (JSON.stringify(rows) !== JSON.stringify(manifest.rows)) {
          throw new UnverifiedError(`${file} has other rows than the manifest`);
        }
      },
    );
  } finally {
    await store.close();
  }
}

/**
 * Verifies a backup and restores it into an empty data folder or database, where it signs nothing yet. It
 * works on its own copy, because others may write to the folder of the backup.
 */
export async function restoreBackup(
  settings: CustodySettings,
  { from, log, steps }: Parts & { readonly from: string },
): Promise<BackupManifest> {
  const { databaseUrl, dataDirectory } = settings;
  const directory = openDataDirectory(dataDirectory);
  const temporary = join(directory.path, `${databaseName}.${hex(openKernelRandom()(8))}.tmp`);
  try {
    if (databaseUrl === undefined) refuseExisting(directory.path);
    const found = readManifest(resolve(from));
    copyDatabase(databaseOf(resolve(from)), temporary);
    await verifyDatabase(settings, { file: temporary, found, log, steps });
    // Unlike a rename, a link does not replace a file that appeared in between.
    if (databaseUrl === undefined) linkSync(temporary, join(directory.path, databaseName));
    else await fillPostgres(temporary, databaseUrl, { log, steps });
    return found.manifest;
  } finally {
    rmSync(temporary, { force: true });
    syncDirectory(directory.path);
    directory.close();
  }
}

/** Makes a durable copy (0600) of a file. */
function copyDatabase(file: string, to: string): void {
  try {
    requirePlainFile(file);
    copyFileSync(file, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UnusableDataError(`${file} cannot be copied to ${to} (${error.code})`);
  }
  chmodSync(to, 0o600);
  syncFile(to);
}

/** Two check intervals of a node that shares the anchor. */
const settlingMs = 2_000;

/** Permits only this replica to sign; returns its epoch. With SQLite, its service must be stopped. */
export async function acceptCopy(
  settings: CustodySettings,
  { reason, log }: { readonly reason: string; readonly log: Log },
): Promise<number> {
  const { rootKeyFile, readRootKey, launchEnclave, anchorFile, dataDirectory, databaseUrl } =
    settings;
  const directory = databaseUrl === undefined ? openDataDirectory(dataDirectory) : undefined;
  try {
    const store = await existingStore(settings, log);
    try {
      const handlers = anchorHandlers(anchorFileOf({ anchorFile, rootKeyFile, dataDirectory }));
      // Waits until a replica that shares the anchor has stopped.
      const anchor: typeof handlers = {
        ...handlers,
        setAnchor: async (given) => {
          const answer = await handlers.setAnchor(given);
          if (answer.raised) await pause(settlingMs);
          return answer;
        },
      };
      const { port } = store;
      return await withCustodian(
        { readRootKey, launchEnclave, store: port, log, anchor },
        async (custodian) => {
          await refuseUnservable(custodian);
          return (await custodian.call('accept', { reason })).epoch;
        },
      );
    } finally {
      await store.close();
    }
  } finally {
    directory?.close();
  }
}

async function openAll(
  file: string,
  { rows }: BackupManifest,
  custodian: Custodian,
  steps: Steps,
): Promise<BackupManifest['rows']> {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const snapshot = sqliteSnapshot(file, { readOnly: true });
  try {
    let seen = 0;
    return await openAllRows(snapshot, custodian, (count) => {
      seen += count;
      steps.opened(seen, total);
    });
  } finally {
    await snapshot.close();
  }
}

/** Throws UnusableDataError unless the replica in a backup is fenced. */
async function checkFence(custodian: Custodian): Promise<void> {
  const { state, reason } = await refuseUnservable(custodian);
  if (state === 'fenced') return;
  throw new UnverifiedError(`the database of the backup is not fenced: ${reason ?? state}`);
}

async function refuseUnservable(custodian: Custodian) {
  try {
    const copyStatus = await custodian.call('custodyCopyStatus', undefined);
    if (copyStatus.state !== 'refused') return copyStatus;
    throw new UnusableDataError(copyStatus.reason ?? 'the data is refused');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new UnverifiedError(
      'the custody record of the data does not open: it was altered, or belongs to another root key',
    );
  }
}

function refuseExisting(dataDirectory: string): void {
  for (const suffix of ['', '-wal', '-journal']) {
    const path = join(dataDirectory, `${databaseName}${suffix}`);
    if (!existsSync(path)) continue;
    throw new UnusableDataError(`${path} exists already: nothing was restored`);
  }
}

async function fillPostgres(file: string, url: string, { log, steps }: Parts): Promise<void> {
  const { emptyPostgres } = await import('../../store/postgres/copy.ts');
  const into = await emptyPostgres(url, { log, clock: monotonicClock.now });
  try {
    const snapshot = sqliteSnapshot(file, { readOnly: true });
    try {
      let copied = 0;
      await copyTables(snapshot, into, (count) => {
        copied += count;
        steps.copied(copied);
      });
    } finally {
      await snapshot.close();
    }
    await into.commit();
  } finally {
    await into.close();
  }
}

async function existingStore(
  { databaseUrl, dataDirectory }: CustodySettings,
  log: Log,
): Promise<Store> {
  if (databaseUrl !== undefined) {
    const { openPostgresStore } = await import('../../store/postgres/postgres.ts');
    return openPostgresStore({ url: databaseUrl, log, clock: monotonicClock.now });
  }
  const file = join(dataDirectory, databaseName);
  if (!existsSync(file)) throw new UnusableDataError(`there is no database at ${file}`);
  return openSqliteStore({ file, log });
}
