// `keywright backup`: copies one state of either kind of database into a separate file, opens every row of
// it, and writes a manifest. A backup is complete or absent, and fenced: a replica restored from it signs
// nothing before it is accepted.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hex, utf8 } from '../../core/base/bytes.ts';
import type { Settings } from '../../settings/settings.ts';
import {
  makeDataDirectory,
  syncDirectory,
  writeFilePrivately,
} from '../../store/data_directory/data_directory.ts';
import { newSqliteFile, replaceHead, sqliteSnapshot } from '../../store/sqlite/copy.ts';
import { copyTables, type Snapshot } from '../../store/tables/copied_tables.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { projectDirectory } from '../enclave/process.ts';
import type { Log } from '../observability/log.ts';
import { type LaunchEnclave, withCustodian } from './custodian.ts';
import { lastBackupFile } from './last_backup.ts';
import { type BackupManifest, databaseOf, digestOf, writeManifest } from './manifest.ts';
import { openAllRows } from './open_rows.ts';
import { storeOfFile } from './store_of_file.ts';

export type Steps = {
  /** Reports the rows copied or opened so far, and the total once it is known. */
  readonly copied: (rows: number) => void;
  readonly opened: (rows: number, of: number) => void;
};

export type CustodySettings = Pick<Settings, 'dataDirectory' | 'databaseUrl' | 'anchorFile'> & {
  /** The anchor is next to this file by default. */
  readonly rootKeyFile: string;
  /** Returns the root key of the configured provider, 32 bytes. The receiver wipes it. */
  readonly readRootKey: () => Promise<Uint8Array>;
  readonly launchEnclave?: LaunchEnclave;
};

/**
 * Writes a backup into a new folder; returns its manifest.
 * @throws UnusableDataError if there is no database or no root key, or a row does not open.
 */
export async function takeBackup(
  settings: CustodySettings,
  { to, log, steps }: { readonly to: string; readonly log: Log; readonly steps: Steps },
): Promise<BackupManifest> {
  const directory = resolve(to);
  if (existsSync(directory)) {
    throw new UnusableDataError(`${directory} exists already: name a folder that does not`);
  }
  // The time of the last backup is stored there. With PostgreSQL the folder may be missing.
  if (settings.databaseUrl !== undefined) makeDataDirectory(settings.dataDirectory);
  const partial = `${directory}.${hex(openKernelRandom()(4))}.partial`;
  makePartial(partial);
  try {
    const manifest = await writeInto(partial, settings, { log, steps });
    syncDirectory(partial);
    renameSync(partial, directory);
    syncDirectory(dirname(directory));
    const last = { createdAtMs: manifest.createdAtMs, verifiedAtMs: Date.now(), directory };
    const text = utf8(`${JSON.stringify(last)}\n`);
    writeFilePrivately(lastBackupFile(settings.dataDirectory), text, { replace: true });
    return manifest;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function writeInto(
  directory: string,
  settings: CustodySettings,
  { log, steps }: { readonly log: Log; readonly steps: Steps },
): Promise<BackupManifest> {
  const file = databaseOf(directory);
  // Taken before the snapshot, which then contains everything acknowledged by this time.
  const createdAtMs = Date.now();
  const rows = await copyInto(file, await snapshotOf(settings), steps);
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const store = storeOfFile(file);
  const { readRootKey, launchEnclave } = settings;
  try {
    return await withCustodian(
      { readRootKey, launchEnclave, store: store.port, log },
      async (custodian) => {
        const snapshot = sqliteSnapshot(file, { readOnly: true });
        try {
          let seen = 0;
          await openAllRows(snapshot, custodian, (count) => {
            seen += count;
            steps.opened(seen, total);
          });
        } finally {
          await snapshot.close();
        }
        const { organizationId, epoch, row } = await custodian.call('fence', {
          backupAtMs: createdAtMs,
        });
        await store.close();
        replaceHead(file, { ...row, id: row.organizationId });
        const manifest: BackupManifest = {
          format: 1,
          createdAtMs,
          release: ownVersion(),
          organizationId,
          epoch,
          rows,
          file: await digestOf(file),
        };
        await writeManifest(directory, manifest, custodian);
        return manifest;
      },
    );
  } finally {
    await store.close();
  }
}

async function copyInto(
  file: string,
  snapshot: Snapshot,
  steps: Steps,
): Promise<BackupManifest['rows']> {
  try {
    const into = newSqliteFile(file);
    try {
      let copied = 0;
      const rows = await copyTables(snapshot, into, (count) => {
        copied += count;
        steps.copied(copied);
      });
      await into.commit();
      return rows;
    } finally {
      await into.close();
    }
  } finally {
    await snapshot.close();
  }
}

async function snapshotOf({ dataDirectory, databaseUrl }: CustodySettings): Promise<Snapshot> {
  if (databaseUrl === undefined) return sqliteSnapshot(join(dataDirectory, 'keywright.sqlite'));
  const { postgresSnapshot } = await import('../../store/postgres/copy.ts');
  return postgresSnapshot(databaseUrl);
}

function makePartial(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new UnusableDataError(`${path} cannot be created (${code})`);
  }
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));
  return String(version);
}
