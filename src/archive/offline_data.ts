// Access for commands that open the data of the service directly: the root key, the store and the custody
// record.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { wipe } from '../core/base/bytes.ts';
import { knownRules } from '../core/custody/rules.ts';
import { keyEpochId } from '../core/custody/sealed_form.ts';
import { assert, ServiceError } from '../core/errors/errors.ts';
import { createRootKeys, type RootKeys } from '../enclave/keys/root_keys.ts';
import type { CustodyPorts } from '../enclave/records/custody_reader.ts';
import { rootKeysOf } from '../enclave/records/key_epochs.ts';
import type { RecordCodec } from '../enclave/records/record_codec.ts';
import { anchorFileOf, readAnchor } from '../gateway/custody/anchor.ts';
import { readRootKeyOnce } from '../gateway/root_key/read_once.ts';
import type { Settings } from '../settings/settings.ts';
import { openDataDirectory } from '../store/data_directory/data_directory.ts';
import type { StoredOrganization } from '../store/port.ts';
import { sqliteSnapshot } from '../store/sqlite/copy.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { copiedTables, type Snapshot } from '../store/tables/copied_tables.ts';
import { organizationOfRow } from '../store/tables/rows.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { openKernelRandom } from '../system/kernel_random.ts';

/** Name of the SQLite file in the data folder. */
export const databaseName = 'keywright.sqlite';

export type OfflineSettings = Parameters<typeof readRootKeyOnce>[0] &
  Pick<Settings, 'databaseUrl' | 'anchorFile'>;
/** The environment variables and passphrase prompt of the operator. */
export type Operator = Parameters<typeof readRootKeyOnce>[1];

/** Runs a function with the keys derived from the root key, and wipes them afterwards. */
export async function withRootKeys<Result>(
  settings: OfflineSettings,
  operator: Operator,
  run: (keys: {
    readonly rootKeys: RootKeys;
    readonly random: (length: number) => Uint8Array;
  }) => Result | Promise<Result>,
): Promise<Result> {
  const rootKeys = await openOwnRootKeys(settings, await readRootKeyOnce(settings, operator));
  try {
    return await run({ rootKeys, random: openKernelRandom() });
  } finally {
    rootKeys.close();
  }
}

/**
 * Takes ownership of a root key, and returns its keys with the epoch in the database. Without a database the
 * root key counts as never rotated. Raises UnusableDataError.
 */
export async function openOwnRootKeys(
  settings: Pick<OfflineSettings, 'databaseUrl' | 'dataDirectory'>,
  rootKey: Uint8Array,
): Promise<RootKeys> {
  const snapshot = await snapshotOf(settings);
  if (snapshot === undefined) return createRootKeys(rootKey);
  try {
    const row = await readKeyEpochRow(snapshot);
    return await orUnusable(Promise.resolve().then(() => rootKeysOf(row, rootKey)));
  } catch (error) {
    wipe(rootKey);
    throw error;
  } finally {
    await snapshot.close();
  }
}

/** Opens a snapshot, which does not block a running service; undefined without a database. */
export async function snapshotOf({
  databaseUrl,
  dataDirectory,
}: Pick<OfflineSettings, 'databaseUrl' | 'dataDirectory'>): Promise<Snapshot | undefined> {
  if (databaseUrl !== undefined) {
    const { postgresSnapshot } = await import('../store/postgres/copy.ts');
    return postgresSnapshot(databaseUrl);
  }
  const file = join(dataDirectory, databaseName);
  return existsSync(file) ? sqliteSnapshot(file) : undefined;
}

/** Returns the row of the record of key epochs; undefined if the root key was never rotated. */
export async function readKeyEpochRow(
  database: Pick<Snapshot, 'page'>,
): Promise<StoredOrganization | undefined> {
  const table = copiedTables.find(({ name }) => name === 'organizations');
  assert(table !== undefined, 'there is a table of organizations');
  // Bounds of pages are exclusive, and no id lies between the two.
  const [row] = await database.page(table, { id: keyEpochId.slice(0, -1) }, 1);
  const found = row && organizationOfRow(row);
  return found?.organizationId === keyEpochId ? found : undefined;
}

/** Runs a function with the store, and closes it afterwards. No service may use the data folder. */
export async function withStore<Result>(
  settings: OfflineSettings,
  run: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const data =
    settings.databaseUrl === undefined ? openDataDirectory(settings.dataDirectory) : undefined;
  try {
    const store = await openStore(settings);
    try {
      return await run(store);
    } finally {
      await store.close();
    }
  } finally {
    data?.close();
  }
}

/** Returns the ports of the custody record, with a read-only anchor. */
export function custodyPorts(
  { anchorFile, dataDirectory, rootKeyFile }: OfflineSettings,
  codec: RecordCodec,
  store: Pick<Store, 'port'>,
): CustodyPorts {
  const keyFile = rootKeyFile ?? join(dataDirectory, 'root.key');
  const path = anchorFileOf({ anchorFile, rootKeyFile: keyFile, dataDirectory });
  const anchor = { read: async () => readAnchor(path), raise: async () => false };
  return { store: store.port, codec, anchor, clock: Date.now, rules: knownRules };
}

/** Returns the answer, or throws its error as a message for the operator. */
export function orUnusable<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error) => {
    if (error instanceof ServiceError) throw new UnusableDataError(error.message);
    throw error;
  });
}

async function openStore({ databaseUrl, dataDirectory }: OfflineSettings): Promise<Store> {
  if (databaseUrl === undefined) {
    return openSqliteStore({ file: join(dataDirectory, databaseName) });
  }
  const { openPostgresStore } = await import('../store/postgres/postgres.ts');
  return openPostgresStore({ url: databaseUrl, log: () => {}, clock: () => performance.now() });
}
